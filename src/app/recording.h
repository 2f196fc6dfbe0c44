// --record and --replay around a command: what a recording was made of is what a replay is asked for, and a
// recording ends when its command does. Called by run.cc; the ports are made in world.cc.
#pragma once
#include <memory>
#include <vector>

#include "app/exit_codes.h"
#include "app/options.h"
#include "app/plan.h"
#include "edge/recording/recorder.h"
#include "model/reference.h"
#include "ports/progress.h"

namespace xpu_align {

// Window, repository and references of the recording become the plan's. kConfig when the command line asks for others.
Status AdoptRecording(const Invocation& invocation, const RecordingScope& scope, Plan* plan);
// kConfig when a spot check names other items than the recorded one.
Status CheckReferences(const RecordingScope& scope, const std::vector<Reference>& references);

// Null without --record.
Result<std::unique_ptr<Recorder>> BeginRecording(const Plan& plan, const std::vector<Reference>& references, int64_t now);
// A night that fails is the one to be debugged: its recording is finished, too, unless a signal ended it. An error
// of the command itself goes before one of the recording. `recorder` may be null.
Result<ExitCode> FinishRecording(Recorder* recorder, Result<ExitCode> result, const Plan& plan, Progress& progress);

}  // namespace xpu_align
