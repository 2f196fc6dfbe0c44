// The real SandboxRunner: namespaces, Landlock and seccomp made by this binary, without root and without
// another program. One sandbox per attempt, or one for all attempts of the fork server. Made by src/app.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "edge/sandbox/sandbox_plan.h"
#include "model/target_profile.h"
#include "ports/sandbox_runner.h"

namespace xpu_align::sandbox {

struct RunnerSettings {
  InterpreterChoice interpreter;
  TargetProfile target;
  std::map<std::string, std::string> harness;  // file name -> text: run_script.py, prove.py, ...
  std::string program = "/proc/self/exe";      // must call Launch() when IsLaunch() says so
  int64_t user = 65534;                        // --sandbox-user: whom an effective uid 0 becomes
  size_t output_cap = 4u << 20;
  CompileUse preload = CompileUse::kEager;  // kCompiled: the fork server imports the compiler, too
  std::string seed_file;  // where kept caches are written, beside nothing else; empty: they are not kept
  std::function<bool()> stop_requested;     // asked while a script runs; true ends it with kCancelled
};

// Also makes this process undumpable, so that nothing of its user can read its memory or environment.
// kConfig when the interpreter does not exist.
Result<std::unique_ptr<SandboxRunner>> MakeSandboxRunner(RunnerSettings settings);

}  // namespace xpu_align::sandbox
