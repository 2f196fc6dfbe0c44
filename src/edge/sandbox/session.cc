#include "edge/sandbox/session.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "edge/sandbox/evidence_frames.h"
#include "edge/sandbox/launcher.h"
#include "edge/sandbox/process_table.h"
#include "edge/sandbox/remedy.h"

namespace xpu_align::sandbox {
namespace {

constexpr int64_t kStartMillis = 30'000;
constexpr int64_t kGraceMillis = 45'000;  // beyond a request's own timeout: kills and clean-up of the supervisor
constexpr int64_t kRestMillis = 2'000;    // for what is still in the pipes after the answer
constexpr int64_t kDeathMillis = 10'000;
constexpr int64_t kUnwatchedBytes = int64_t{512} << 20;  // the fork server, the kernel's own, caches of files
constexpr int64_t kStopMillis = 200;  // between two looks at the stop flag: a signal can come just before poll

std::string WithRemedy(const std::string& failure) {
  const std::string remedy = RemedyFor(failure, FactsOfThisMachine());
  return remedy.empty() ? failure : failure + "; " + remedy;
}

Result<std::pair<Descriptor, Descriptor>> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Fail(ErrorKind::kSandbox, SystemFailure("no pipe"));
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return std::pair(Descriptor(ends[0]), Descriptor(ends[1]));
}

// Reads what is there. False at the end of the stream.
bool Drain(const Descriptor& pipe, size_t cap, std::string* text, bool* capped) {
  char buffer[64 << 10];
  for (int rounds = 0; rounds < 64; ++rounds) {  // then look at the other descriptors again
    const ssize_t got = ::read(pipe.get(), buffer, sizeof buffer);
    if (got == 0) return false;
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    const size_t room = cap - std::min(cap, text->size());
    text->append(buffer, std::min(room, static_cast<size_t>(got)));
    if (static_cast<size_t>(got) > room) *capped = true;
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<Session>> Session::Start(const SandboxPlan& plan, const std::string& program,
                                                std::function<bool()> stop_requested) {
  TRY_ASSIGN(auto ends, MakeChannel());
  TRY_ASSIGN(const Descriptor plan_file, MemoryFile(WriteJsonLine(ToJson(plan))));
  TRY_ASSIGN(const pid_t launcher,
             SpawnClean(program, {"xpu-align", kLaunchArgument}, {ends.second.get(), plan_file.get()}));
  const Descriptor launcher_process = OpenPidFd(launcher);
  ends.second.Reset();
  std::unique_ptr<Session> session(new Session(std::move(stop_requested)));
  session->channel_ = std::move(ends.first);
  static const std::vector<GroupPlace> places = OwnGroupPlaces();  // moves this process aside where it must
  session->group_ = ControlGroup::Make(places, plan.processes);
  std::string failure;
  for (bool up = false; failure.empty() && !(up && session->process_.valid());) {  // two senders, any order
    const auto message = Receive(session->channel_, kStartMillis);
    if (!message) {
      failure = "the sandbox ended while it started (" + message.error().message + ")";
    } else if (message->json.Has("pid")) {
      session->process_ = OpenPidFd(static_cast<pid_t>(message->json.IntOr("pid")));
    } else if (message->json.Has("error")) {
      failure = WithRemedy(message->json.StringOr("error"));
    } else {
      up = true;
      session->level_ = message->json.StringOr("level");
      session->landlock_abi_ = static_cast<int>(message->json.IntOr("landlock_abi"));
    }
  }
  if (!WaitFor(launcher_process, failure.empty() ? kStartMillis : 100)) {
    Kill(launcher_process);
    WaitFor(launcher_process, kDeathMillis);
  }
  if (!failure.empty()) return Fail(ErrorKind::kSandbox, "the sandbox can not be made: " + failure);
  return session;
}

Session::~Session() { (void)Stop(); }

Status Session::Stop() {
  channel_.Reset();
  if (!process_.valid()) return {};
  Kill(process_);
  const bool ended = WaitFor(process_, kDeathMillis);
  process_.Reset();
  group_.Remove();
  if (!ended)
    return Fail(ErrorKind::kDevice, "a process in the sandbox can not be ended; the device or its driver hangs");
  return {};
}

Status Session::SendRequest(const Json& request, std::vector<int> first) {
  const int64_t memory = request.IntOr("memory_bytes");
  group_.LimitMemory(memory + memory / 8 + kUnwatchedBytes);
  for (const int door : group_.Doors()) first.push_back(door);
  return Send(channel_, request, first);
}

Result<Captured> Session::Run(const Json& request, std::string_view script, size_t output_cap) {
  TRY_ASSIGN(const Descriptor file, MemoryFile(script));
  TRY_ASSIGN(auto evidence, MakePipe());
  TRY_ASSIGN(auto output, MakePipe());
  TRY(SendRequest(request, {output.second.get(), evidence.second.get(), file.get()}));
  output.second.Reset();
  evidence.second.Reset();
  return Exchange(request, std::move(output.first), std::move(evidence.first), output_cap);
}

Status Session::Serve(const Json& request, size_t output_cap) {
  TRY_ASSIGN(auto output, MakePipe());
  TRY(SendRequest(request, {output.second.get()}));
  output.second.Reset();
  TRY_ASSIGN(const Captured captured, Exchange(request, std::move(output.first), Descriptor(), output_cap));
  if (captured.answer.BoolOr("ready", false)) return {};
  const std::string_view tail =
      std::string_view(captured.output).substr(captured.output.size() - std::min<size_t>(captured.output.size(), 300));
  return Fail(ErrorKind::kSandbox, "the fork server did not start: " + captured.answer.StringOr("error") + " " +
                                       UntrustedText(std::string(tail)).ForLogLine());
}

Result<Captured> Session::Exchange(const Json& request, Descriptor output, Descriptor evidence, size_t output_cap) {
  Captured captured;
  int64_t deadline = MonotonicMillis() + request.IntOr("timeout_millis") + kGraceMillis;
  bool answered = false, ignored = false;
  const bool server_keeps_output = !evidence.valid();
  while (!answered || ((output.valid() || evidence.valid()) && !server_keeps_output)) {
    const int64_t left = deadline - MonotonicMillis();
    if (left <= 0) break;
    if (stop_requested_ && stop_requested_()) {
      TRY(Stop());
      return Fail(ErrorKind::kCancelled, "interrupted; run the same command again, it goes on from here");
    }
    pollfd events[] = {
        {answered ? -1 : channel_.get(), POLLIN, 0}, {output.get(), POLLIN, 0}, {evidence.get(), POLLIN, 0}};
    if (::poll(events, 3, static_cast<int>(std::min(left, kStopMillis))) < 0 && errno != EINTR) break;
    if (events[1].revents && !Drain(output, output_cap, &captured.output, &captured.output_capped)) output.Reset();
    if (events[2].revents && !Drain(evidence, kMaxEvidenceBytes + 1, &captured.evidence, &ignored)) evidence.Reset();
    if (events[0].revents) {
      auto message = Receive(channel_, 0);
      if (!message) return Fail(ErrorKind::kSandbox, "the supervisor of the sandbox ended: " + message.error().message);
      captured.answer = std::move(message->json);
      answered = true;
      deadline = MonotonicMillis() + kRestMillis;
    }
  }
  if (!answered) {
    TRY(Stop());
    captured.answer = Json().Set("kind", "timed-out").Set("server_lost", true);
  }
  return captured;
}

}  // namespace xpu_align::sandbox
