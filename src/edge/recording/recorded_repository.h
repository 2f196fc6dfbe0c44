// RepositoryReader that is recorded, and RepositoryReader out of a recording, which needs no clone. A function that the
// port gains is one line in each. Made by src/app.
#pragma once
#include <memory>

#include "edge/recording/recorder.h"
#include "edge/recording/replayer.h"
#include "ports/repository_reader.h"

namespace xpu_align {

// `recorder` outlives the result.
std::unique_ptr<RepositoryReader> RecordRepository(std::unique_ptr<RepositoryReader> repository, Recorder& recorder);
// `replayer` outlives the result. Ancestry that was not asked for when the recording was made - a replay may test
// another build - follows from the parents of the recorded commits, or is unknown.
std::unique_ptr<RepositoryReader> ReplayRepository(Replayer& replayer);

}  // namespace xpu_align
