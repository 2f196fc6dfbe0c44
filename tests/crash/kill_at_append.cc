// The shipped program with one difference: it dies by SIGKILL right after (or in the middle of) the n-th
// append to the ledger.  kill_at_append N whole|torn ARGUMENT...
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <iostream>

#include "app/run.h"
#include "edge/store/run_directory.h"

namespace xpu_align {
namespace {

class DyingStore : public RunStore {
 public:
  DyingStore(std::unique_ptr<RunStore> real, std::filesystem::path root, int* left, bool torn)
      : real_(std::move(real)), root_(std::move(root)), left_(left), torn_(torn) {}

  Result<std::string> Read(std::string_view path) override { return real_->Read(path); }
  Status Write(std::string_view path, std::string_view bytes) override { return real_->Write(path, bytes); }
  bool Exists(std::string_view path) override { return real_->Exists(path); }
  std::vector<std::string> List(std::string_view folder) override { return real_->List(folder); }
  Status Remove(std::string_view path) override { return real_->Remove(path); }
  Result<std::vector<LedgerRow>> LoadLedger() override { return real_->LoadLedger(); }
  Status CompactLedger() override { return real_->CompactLedger(); }
  Status Append(const LedgerRow& row, Durability durability) override {
    if (--*left_ > 0 || !torn_) {
      TRY(real_->Append(row, durability));
    } else {
      const std::string line = WriteJsonLine(ToJson(row));
      std::ofstream(root_ / paths::kLedger, std::ios::app) << line.substr(0, line.size() / 2);
    }
    if (*left_ <= 0) ::kill(::getpid(), SIGKILL);
    return {};
  }

 private:
  std::unique_ptr<RunStore> real_;
  std::filesystem::path root_;
  int* left_;
  bool torn_;
};

}  // namespace
}  // namespace xpu_align

int main(int argc, char** argv) {
  using namespace xpu_align;
  if (argc == 2) return Run({argv + 1, argv + argc}, {}, std::cout, std::cerr);  // the sandbox starts this program again
  if (argc < 4) return 64;
  static int left = 0;
  std::from_chars(argv[1], argv[1] + std::string_view(argv[1]).size(), left);
  const bool torn = std::string_view(argv[2]) == "torn";
  Environment environment;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view pair(*entry);
    environment.emplace(pair.substr(0, pair.find('=')), pair.substr(pair.find('=') + 1));
  }
  return Run({argv + 3, argv + argc}, environment, std::cout, std::cerr,
             [torn](const std::filesystem::path& path) -> Result<std::unique_ptr<RunStore>> {
               TRY_ASSIGN(auto real, OpenRunDirectory(path));
               return std::make_unique<DyingStore>(std::move(real), path, &left, torn);
             });
}
