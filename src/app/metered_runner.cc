#include "app/metered_runner.h"

namespace xpu_align {
namespace {

class MeteredRunner : public SandboxRunner {
 public:
  MeteredRunner(std::unique_ptr<SandboxRunner> runner, Clock& clock, Meter* meter)
      : runner_(std::move(runner)), clock_(clock), meter_(meter) {}

  Result<std::string> SelfTest() override {
    const Span span(this);
    return runner_->SelfTest();
  }
  Result<InterpreterFacts> Probe() override {
    const Span span(this);
    return runner_->Probe();
  }
  Result<AttemptResult> Run(const AttemptRequest& request) override {
    const Span span(this);
    return runner_->Run(request);
  }

 private:
  // Adds its own life time to the meter.
  class Span {
   public:
    explicit Span(MeteredRunner* owner) : owner_(owner), begin_(owner->clock_.MonotonicMillis()) {}
    ~Span() { owner_->meter_->sandbox_millis += owner_->clock_.MonotonicMillis() - begin_; }

   private:
    MeteredRunner* owner_;
    int64_t begin_;
  };

  std::unique_ptr<SandboxRunner> runner_;
  Clock& clock_;
  Meter* meter_;
};

}  // namespace

std::unique_ptr<SandboxRunner> MeterRunner(std::unique_ptr<SandboxRunner> runner, Clock& clock, Meter* meter) {
  return std::make_unique<MeteredRunner>(std::move(runner), clock, meter);
}

}  // namespace xpu_align
