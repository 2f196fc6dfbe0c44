// FakeGithub: tests/fake_github as a child process for one test: started with a world, asked for its log, ended.
// ManualClock: a clock whose waiting costs no time. Used by the *_contract.cc programs.
#pragma once
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "json/json.h"
#include "model/window.h"
#include "ports/clock.h"
#include "ports/progress.h"

namespace xpu_align {

inline std::string FileText(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class FakeGithub {
 public:
  FakeGithub(const std::filesystem::path& folder, const std::string& world) : folder_(folder) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "world.json") << world;
    const std::string world_path = folder_ / "world.json", port_path = folder_ / "port", log_path = folder_ / "log";
    pid_ = ::fork();
    if (pid_ == 0) {
      ::execlp("python3", "python3", "-m", "fake_github", "--world", world_path.c_str(), "--port-file",
               port_path.c_str(), "--log", log_path.c_str(), "--life", "600", nullptr);
      ::_exit(127);
    }
    for (int tries = 0; port_ == 0 && tries < 3000 && ::waitpid(pid_, nullptr, WNOHANG) == 0; ++tries) {
      ::usleep(10'000);  // until another process is ready, not for a time to pass
      port_ = std::atoi(FileText(port_path).c_str());
    }
    EXPECT_NE(port_, 0) << "the fake GitHub did not start";
  }
  ~FakeGithub() {
    if (pid_ > 0) static_cast<void>(Stop());
  }

  std::string SecureBase() const { return "https://127.0.0.1:" + std::to_string(port_); }
  std::string Base() const { return "http://127.0.0.1:" + std::to_string(port_); }

  int Port() const { return port_; }

  // Ends the server; its exit status: 0 when every request was expected and every stub and fault was used.
  int Stop() {
    ::kill(pid_, SIGTERM);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::vector<Json> Log() const {
    std::vector<Json> entries;
    std::istringstream lines(FileText(folder_ / "log"));
    for (std::string line; std::getline(lines, line);) entries.push_back(*ParseJson(line));
    return entries;
  }
  std::vector<std::string> Lines(std::string_view prefix) const {
    std::vector<std::string> lines;
    for (const Json& entry : Log())
      if (entry.StringOr("line").starts_with(prefix)) lines.push_back(entry.StringOr("line"));
    return lines;
  }

 private:
  std::filesystem::path folder_;
  pid_t pid_ = -1;
  int port_ = 0;
};

class ManualClock : public Clock {
 public:
  explicit ManualClock(const char* now) : now_millis_(*ParseTimestamp(now) * 1000) {}
  int64_t NowSeconds() override { return now_millis_ / 1000; }
  int64_t MonotonicMillis() override { return now_millis_; }
  Status SleepMillis(int64_t millis) override {
    now_millis_ += millis;
    waits.push_back(millis);
    return {};
  }
  std::vector<int64_t> waits;

 private:
  int64_t now_millis_;
};

class RecordedProgress : public Progress {
 public:
  void StageStarted(const std::string& stage, size_t) override { notes.push_back(stage); }
  void Step(const std::string&) override {}
  void StageFinished(const std::string& summary) override { notes.push_back(summary); }
  void Note(const std::string& text) override { notes.push_back(text); }
  void Warn(const std::string& text) override { warnings.push_back(text); }
  std::vector<std::string> notes, warnings;
};

// A folder for one test, removed at its end.
class ContractTest : public testing::Test {
 protected:
  ContractTest()
      : folder_(std::filesystem::temp_directory_path() /
                (std::string("xpu_align_contract.") + std::to_string(::getpid()) + "." +
                 testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ContractTest() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

}  // namespace xpu_align
