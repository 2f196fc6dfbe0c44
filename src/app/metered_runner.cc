#include "app/metered_runner.h"

namespace xpu_align {
namespace {

class MeteredRunner : public SandboxRunner {
 public:
  MeteredRunner(std::unique_ptr<SandboxRunner> runner, Clock& clock, Meter* meter)
      : runner_(std::move(runner)), clock_(clock), meter_(meter) {}

  Result<std::string> SelfTest() override {
    return Measured([this] { return runner_->SelfTest(); });
  }
  Result<InterpreterFacts> Probe() override {
    return Measured([this] { return runner_->Probe(); });
  }
  Result<AttemptResult> Run(const AttemptRequest& request) override {
    return Measured([&] { return runner_->Run(request); });
  }

 private:
  template <typename Call>
  auto Measured(Call call) {
    const int64_t begin = clock_.MonotonicMillis();
    auto result = call();
    meter_->sandbox_millis += clock_.MonotonicMillis() - begin;
    return result;
  }

  std::unique_ptr<SandboxRunner> runner_;
  Clock& clock_;
  Meter* meter_;
};

}  // namespace

std::unique_ptr<SandboxRunner> MeterRunner(std::unique_ptr<SandboxRunner> runner, Clock& clock, Meter* meter) {
  return std::make_unique<MeteredRunner>(std::move(runner), clock, meter);
}

}  // namespace xpu_align
