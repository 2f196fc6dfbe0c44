#include "app/interruptible_store.h"

#include "app/system_clock.h"

namespace xpu_align {
namespace {

class InterruptibleStore : public RunStore {
 public:
  explicit InterruptibleStore(std::unique_ptr<RunStore> store) : store_(std::move(store)) {}

  Result<std::string> Read(std::string_view path) override { return store_->Read(path); }
  Status Write(std::string_view path, std::string_view bytes) override { return store_->Write(path, bytes); }
  bool Exists(std::string_view path) override { return store_->Exists(path); }
  std::vector<std::string> List(std::string_view folder) override { return store_->List(folder); }
  Status Remove(std::string_view path) override { return store_->Remove(path); }
  Result<std::vector<LedgerRow>> LoadLedger() override { return store_->LoadLedger(); }
  Status CompactLedger() override { return store_->CompactLedger(); }
  Status Append(const LedgerRow& row, Durability durability) override {
    TRY(store_->Append(row, durability));
    if (StopRequested()) return Fail(ErrorKind::kCancelled, "interrupted; run the same command again, it goes on from here");
    return {};
  }

 private:
  std::unique_ptr<RunStore> store_;
};

}  // namespace

std::unique_ptr<RunStore> StopAtNextRow(std::unique_ptr<RunStore> store) {
  return std::make_unique<InterruptibleStore>(std::move(store));
}

}  // namespace xpu_align
