#include "app/options.h"

namespace xpu_align {
namespace {

using enum ValueShape;
using enum Trust;

constexpr CommandSpec kCommands[] = {
    {"run", "", "every stage from preflight to audit; resumes a run that was stopped",
     "xpu-align run --since 2026-11-29 --until 2026-11-29 --python .venv/bin/python"},
    {"collect", "[DIR]", "list the window's issues, pull requests and commits, fetch details",
     "GITHUB_TOKEN=... xpu-align collect --since 2026-11-29"},
    {"filter", "[DIR]", "reject what can not concern the target, link chains", "xpu-align filter RUN --stats"},
    {"compose", "[DIR]", "write an adapted script for every candidate that passed", "xpu-align compose RUN --target xpu"},
    {"preflight", "[DIR]", "check interpreter, device and sandbox", "xpu-align preflight RUN --python .venv/bin/python"},
    {"execute", "[DIR]", "run the scripts in the sandbox and record evidence",
     "xpu-align execute RUN --python .venv/bin/python"},
    {"judge", "[DIR]", "give each candidate its bucket from the evidence", "xpu-align judge RUN"},
    {"settle", "[DIR]", "give findings a verdict and a route", "xpu-align settle RUN --build-commit SHA"},
    {"report", "[DIR]", "write report, drafts and manifest", "xpu-align report RUN"},
    {"audit", "[DIR]", "check a run directory as an outsider; works on a downloaded artifact", "xpu-align audit RUN"},
    {"spot", "REF...", "the pipeline for given items: issue:N, pr:N, commit:SHA or their URLs",
     "xpu-align spot issue:197888 --python .venv/bin/python"},
    {"explain", "ID", "why this candidate is where it is: rules, edits, evidence, verdict",
     "xpu-align explain issue-197888 --run RUN"},
    {"history", "[rebuild]", "print remembered runs and missed days; `history rebuild [DIR...]` makes it anew from run directories",
     "xpu-align history rebuild agent_space_xpu/runs"},
    {"doctor", "", "check environment, sandbox, token, clone and disk, and say what to do",
     "xpu-align doctor --python .venv/bin/python"},
};

constexpr OptionSpec kOptions[] = {
    {"since", kValue, "DATE", "", kAnywhere, "*", "first day of the window, UTC (default: yesterday)"},
    {"until", kValue, "DATE", "", kAnywhere, "*", "last day of the window, inclusive (default: the value of --since)"},
    {"event", kValue, "NAME", "created", kAnywhere, "run collect",
     "what puts an issue or pull request into the window: created, updated or merged; trunk commits always do"},
    {"catch-up", kFlag, "", "false", kAnywhere, "run collect",
     "begin after the last complete run in the history, at most 14 days back, instead of yesterday"},
    {"target", kValue, "NAME", "xpu", kAnywhere, "*", "device to test: xpu, cuda, npu, cpu, testdev; one profile each"},
    {"repository", kValue, "OWNER/NAME", "pytorch/pytorch", kNotFromRepository, "*", "repository to scan"},
    {"workspace", kValue, "PATH", "", kNotFromRepository, "*",
     "folder that holds agent_space_xpu/runs (default: GITHUB_WORKSPACE, then the current folder)"},
    {"cache-dir", kValue, "PATH", "", kNotFromRepository, "*",
     "clone and caches; nothing else outside the run directory is written (default: ~/.cache/xpu-align)"},
    {"run", kValue, "DIR", "", kNotFromRepository, "explain", "run directory to look into (default: that of the window)"},
    {"python", kValue, "PATH", "", kNotFromRepository, "run preflight execute spot doctor",
     "interpreter with the torch to test (default: .venv/bin/python or .conda*/bin/python in the workspace)"},
    {"python-root", kValue, "DIR", "", kNotFromRepository, "run preflight execute spot doctor",
     "root directory to run in; --python is then a path inside it (default there: /usr/bin/python3)"},
    {"git-dir", kValue, "DIR", "", kNotFromRepository, "run collect settle spot doctor",
     "existing clone of the repository, only read (default: a bare clone in --cache-dir, made and kept up to date)"},
    {"clone-url", kValue, "URL", "", kNotFromRepository, "run collect spot doctor",
     "where to fetch the repository from (default: GITHUB_SERVER_URL/OWNER/NAME.git)"},
    {"xpu-ops-url", kValue, "URL", "", kNotFromRepository, "run collect",
     "clone of intel/torch-xpu-ops for known failures, or none (default: GITHUB_SERVER_URL/intel/torch-xpu-ops.git with "
     "--target xpu)"},
    {"depth", kValue, "N", "0", kAnywhere, "run collect spot", "fetch only the newest N commits; 0: full history"},
    {"no-clone", kFlag, "", "false", kAnywhere, "run collect spot settle",
     "work without a clone: commits and diffs by REST, which costs requests; fix state unknown"},
    {"record", kValue, "DIR", "", kNotFromRepository, "run collect spot",
     "write every answer of GitHub and the clone into this new folder, without secrets"},
    {"replay", kValue, "DIR", "", kNotFromRepository, "run collect settle spot",
     "take the answers from such a folder: no network, clone or token; the window is the recording's"},
    {"build-commit", kValue, "SHA", "", kAnywhere, "run settle spot",
     "trunk commit that the tested torch was built from, when it does not say so itself"},
    {"timeout", kValue, "SECONDS", "120", kAnywhere, "run execute spot", "limit for one attempt of an eager script"},
    {"compile-timeout", kValue, "SECONDS", "420", kAnywhere, "run execute spot",
     "limit for one attempt of a script that compiles"},
    {"stage-budget", kValue, "SECONDS", "0", kAnywhere, "run execute spot",
     "limit for all attempts together; what would not fit waits for the next run, and the exit code is 3; 0: no limit"},
    {"device-recover-cmd", kValue, "COMMAND", "", kNotFromRepository, "run execute spot",
     "shell command of the machine's owner, run outside of the sandbox before the last try at a device that fails"},
    {"nightly-max-age", kValue, "DAYS", "3", kAnywhere, "run preflight spot", "warn when the installed nightly is older"},
    {"upgrade-nightly", kFlag, "", "false", kNotFromRepository, "preflight",
     "first install the target's nightly into the environment of --python; refused where a token is in the environment"},
    {"isolation", kValue, "MODE", "auto", kAnywhere, "run execute spot",
     "auto, fork-server or process: one interpreter forked per script, or a fresh one each time"},
    {"sandbox-uid", kValue, "UID", "65534", kNotFromRepository, "run preflight execute spot doctor",
     "user that scripts run as when xpu-align is started as root"},
    {"fail-on", kValue, "BUCKET", "never", kAnywhere, "run report audit spot",
     "exit with 1 when there is a finding: never, confirmed, related-failure (either)"},
    {"fresh", kFlag, "", "false", kAnywhere, "run collect spot", "move an old run directory of this window aside first"},
    {"max-candidates", kValue, "N", "0", kAnywhere, "run collect",
     "stop with 3 when more titles pass; 0: no limit"},
    {"stats", kFlag, "", "false", kAnywhere, "filter", "print how often each rule fired"},
    {"sample", kValue, "N", "0", kAnywhere, "filter",
     "print N rejected candidates of each reason, chosen by their ids, for a person to check"},
    {"rules", kValue, "FILE", "", kNotFromRepository, "*",
     "own triage rules: added before the shipped ones, or switching some off by id; part of the run's identity"},
    {"config", kValue, "FILE", "", kNotFromRepository, "*", "TOML file with the same names as these options"},
    {"json", kFlag, "", "false", kAnywhere, "*", "progress as one JSON object a line; explain: its answer as JSON"},
};

}  // namespace

std::span<const OptionSpec> OptionTable() { return kOptions; }
std::span<const CommandSpec> CommandTable() { return kCommands; }

}  // namespace xpu_align
