#include "edge/recording/recorded_http.h"

namespace xpu_align {
namespace {

class RecordedHttp : public HttpTransport {
 public:
  RecordedHttp(std::unique_ptr<HttpTransport> http, Recorder& recorder, Clock& clock)
      : http_(std::move(http)), recorder_(recorder), clock_(clock) {}

  Result<HttpResponse> Send(const HttpRequest& request) override {
    auto response = http_->Send(request);
    recorder_.Add(request, response, clock_.NowSeconds());
    return response;
  }

 private:
  std::unique_ptr<HttpTransport> http_;
  Recorder& recorder_;
  Clock& clock_;
};

class ReplayedHttp : public HttpTransport {
 public:
  explicit ReplayedHttp(Replayer& replayer) : replayer_(replayer) {}
  Result<HttpResponse> Send(const HttpRequest& request) override { return replayer_.Answer(request); }

 private:
  Replayer& replayer_;
};

}  // namespace

std::unique_ptr<HttpTransport> RecordHttp(std::unique_ptr<HttpTransport> http, Recorder& recorder, Clock& clock) {
  return std::make_unique<RecordedHttp>(std::move(http), recorder, clock);
}

std::unique_ptr<HttpTransport> ReplayHttp(Replayer& replayer) { return std::make_unique<ReplayedHttp>(replayer); }

}  // namespace xpu_align
