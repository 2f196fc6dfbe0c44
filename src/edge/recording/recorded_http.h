// HttpTransport that is recorded, and HttpTransport out of a recording. Made by src/app.
// Neither keeps request headers or tokens; see recorder.h and replayer.h.
#pragma once
#include <memory>

#include "edge/recording/recorder.h"
#include "edge/recording/replayer.h"

namespace xpu_align {

// `recorder` and `clock` outlive the result.
std::unique_ptr<HttpTransport> RecordHttp(std::unique_ptr<HttpTransport> http, Recorder& recorder, Clock& clock);
// `replayer` outlives the result.
std::unique_ptr<HttpTransport> ReplayHttp(Replayer& replayer);

}  // namespace xpu_align
