#include "app/options.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "app/exit_codes.h"
#include "app/plan.h"
#include "app/rules_page.h"
#include "compose/precheck.h"
#include "distill/finding.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

Plan PlanOf(const std::vector<std::string>& arguments, const Environment& environment = {}) {
  auto parsed = ParseCommandLine(arguments, environment);
  EXPECT_TRUE(parsed) << parsed.error().message;
  auto plan = MakePlan(parsed->invocation, environment, *ParseTimestamp("2026-11-30T01:00:00Z"));
  EXPECT_TRUE(plan) << plan.error().message;
  return *plan;
}

ErrorKind ErrorOf(const std::vector<std::string>& arguments, const Environment& environment = {}) {
  auto parsed = ParseCommandLine(arguments, environment);
  if (!parsed) return parsed.error().kind;
  auto plan = MakePlan(parsed->invocation, environment, *ParseTimestamp("2026-11-30T01:00:00Z"));
  EXPECT_FALSE(plan);
  return plan.error().kind;
}

TEST(OptionTableTest, NamesAreUniqueAndCommandsExist) {
  std::set<std::string_view> names, commands;
  for (const CommandSpec& command : CommandTable()) EXPECT_TRUE(commands.insert(command.name).second) << command.name;
  for (const OptionSpec& option : OptionTable()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_EQ(option.shape == ValueShape::kFlag, option.value_name.empty()) << option.name;
    std::istringstream list{std::string(option.commands)};
    for (std::string command; list >> command;) EXPECT_TRUE(command == "*" || commands.contains(command)) << command;
  }
}

TEST(ParseTest, EmptyArgumentIsRefused) {
  for (const char* command : {"judge", "report", "audit", "spot", "explain"}) {
    const auto parsed = ParseCommandLine({command, ""}, {});
    ASSERT_FALSE(parsed) << command;
    EXPECT_EQ(parsed.error().kind, ErrorKind::kUsage);
    EXPECT_EQ(parsed.error().message,
              std::string(command) + " got an empty argument; is a variable of the command line not set?");
  }
}

TEST(ParseTest, UnknownCommandIsOneSentence) {
  EXPECT_EQ(ParseCommandLine({"version"}, {}).error().message,
            "there is no command 'version'; `xpu-align --help` lists them");
  EXPECT_EQ(ParseCommandLine({"colect"}, {}).error().message,
            "there is no command 'colect'; did you mean 'collect'? `xpu-align --help` lists them");
}

TEST(ParseTest, FlagOfAnInputIsTrueOrFalse) {
  EXPECT_EQ(ErrorOf({"run"}, {{"INPUT_FRESH", "yes"}}), ErrorKind::kConfig);
  EXPECT_EQ(ErrorOf({"run"}, {{"INPUT_NO-CLONE", "True"}}), ErrorKind::kConfig);
  EXPECT_TRUE(ParseCommandLine({"run"}, {{"INPUT_FRESH", "true"}})->invocation.Flag("fresh"));
  EXPECT_FALSE(ParseCommandLine({"run"}, {{"INPUT_FRESH", "false"}})->invocation.Flag("fresh"));
  EXPECT_FALSE(ParseCommandLine({"run"}, {{"INPUT_FRESH", ""}})->invocation.Flag("fresh"));
}

TEST(ParseTest, ListIsGivenSeveralTimesOrAsLines) {
  const std::vector<std::string> both = {"a=1", "b=2"};
  EXPECT_EQ(ParseCommandLine({"distill", "read", "--repo", "a=1", "--repo", "b=2"}, {})->invocation.List("repo"), both);
  EXPECT_EQ(ParseCommandLine({"distill", "read"}, {{"INPUT_REPO", "a=1\nb=2\n"}})->invocation.List("repo"), both);
  EXPECT_TRUE(ParseCommandLine({"distill", "read"}, {})->invocation.List("repo").empty());
}

TEST(ConfigurationTest, DirectoryIsNoConfigurationFile) {
  EXPECT_EQ(ErrorOf({"run", "--config", ::testing::TempDir()}), ErrorKind::kConfig);
}

TEST(OptionTableTest, EveryExampleParses) {
  for (const CommandSpec& command : CommandTable()) {
    std::istringstream words{std::string(command.example)};
    std::vector<std::string> arguments;
    for (std::string word; words >> word;) arguments.push_back(word);
    const auto program = std::ranges::find(arguments, "xpu-align");
    ASSERT_NE(program, arguments.end()) << command.name;
    for (std::string& word : arguments)
      if (word == "SHA") word = std::string(40, 'a');
    const auto parsed = ParseCommandLine(std::vector<std::string>(program + 1, arguments.end()), {});
    EXPECT_TRUE(parsed) << command.example << ": " << parsed.error().message;
  }
}

TEST(OptionsTest, DefaultWindowIsYesterday) { EXPECT_EQ(PlanOf({"run"}).window.Name(), "2026-11-29-to-2026-11-29"); }

TEST(OptionsTest, AWindowInTheFutureIsRefused) {
  EXPECT_EQ(PlanOf({"run", "--since", "2026-11-30"}).window.Name(), "2026-11-30-to-2026-11-30");  // today, as far as it is
  EXPECT_EQ(ErrorOf({"run", "--since", "2026-12-01"}), ErrorKind::kUsage);
  EXPECT_EQ(ErrorOf({"run", "--since", "2026-11-29", "--until", "2026-12-01"}), ErrorKind::kUsage);
}

TEST(OptionsTest, CatchUpFindsItsOwnStart) {
  EXPECT_TRUE(PlanOf({"run", "--catch-up"}).catch_up);
  EXPECT_EQ(PlanOf({"run", "--catch-up"}).window.Name(), "2026-11-29-to-2026-11-29");
  EXPECT_EQ(ErrorOf({"run", "--catch-up", "--since", "2026-11-20"}), ErrorKind::kUsage);
}

TEST(OptionsTest, HelpOfACommandIsTheCommandsHelp) {
  const auto asked = ParseCommandLine({"help", "run"}, {}), flag = ParseCommandLine({"run", "--help"}, {});
  ASSERT_TRUE(asked && asked->help && flag && flag->help);
  EXPECT_EQ(asked->help->text, flag->help->text);
  EXPECT_EQ(ErrorOf({"help", "colect"}), ErrorKind::kUsage);
}

TEST(OptionsTest, EventIsOneOfThree) {
  EXPECT_EQ(PlanOf({"run"}).events, ItemEvents::kCreated);
  EXPECT_EQ(PlanOf({"run", "--event", "updated"}).events, ItemEvents::kUpdated);
  EXPECT_EQ(PlanOf({"run", "--event", "merged"}).events, ItemEvents::kMerged);
  EXPECT_EQ(ErrorOf({"run", "--event", "closed"}), ErrorKind::kUsage);
}

TEST(OptionsTest, FlagBeatsInputBeatsFileBeatsDefault) {
  const fs::path file = fs::temp_directory_path() / ("options_test." + std::to_string(getpid()) + ".toml");
  std::ofstream(file) << "timeout = 7\ncompile-timeout = 8\ntarget = \"cuda\"\n";
  const Environment environment{{"INPUT_TIMEOUT", "6"}, {"INPUT_COMPILE-TIMEOUT", "9"}};
  const Plan plan = PlanOf({"run", "--config", file.string(), "--timeout", "5"}, environment);
  EXPECT_EQ(plan.timeout.count(), 5);
  EXPECT_EQ(plan.compile_timeout.count(), 9);
  EXPECT_EQ(plan.target, "cuda");
  fs::remove(file);
}

TEST(OptionsTest, ConfigurationInARepositoryMayNotSetTheInterpreter) {
  const fs::path folder = fs::temp_directory_path() / ("options_test." + std::to_string(getpid()));
  fs::create_directories(folder / ".git");
  std::ofstream(folder / "a.toml") << "python = \"/tmp/evil\"\n";
  std::ofstream(folder / "b.toml") << "timeout = 7\n";
  EXPECT_EQ(ErrorOf({"run", "--config", (folder / "a.toml").string()}), ErrorKind::kConfig);
  EXPECT_EQ(PlanOf({"run", "--config", (folder / "b.toml").string()}).timeout.count(), 7);
  fs::remove_all(folder);
}

TEST(OptionsTest, WrongInputIsRefusedWithTheOptionsName) {
  EXPECT_EQ(ErrorOf({"rnu"}), ErrorKind::kUsage);
  EXPECT_EQ(ErrorOf({"run", "--sinec", "x"}), ErrorKind::kUsage);
  EXPECT_EQ(ErrorOf({"run", "--timeout", "0"}), ErrorKind::kUsage);
  EXPECT_EQ(ErrorOf({"run", "--timeout", "12x"}), ErrorKind::kUsage);
  EXPECT_EQ(ErrorOf({"run", "--since", "2026-02-30"}), ErrorKind::kUsage);
  EXPECT_EQ(ErrorOf({"run", "--since", "2026-02-02", "--until", "2026-02-01"}), ErrorKind::kUsage);
  EXPECT_EQ(ErrorOf({"run", "--until", "2026-02-01"}), ErrorKind::kUsage);
  EXPECT_EQ(ErrorOf({"run", "--isolation", "maybe"}), ErrorKind::kUsage);
  EXPECT_EQ(ErrorOf({"run", "--repository", "../x"}), ErrorKind::kUsage);
  EXPECT_EQ(ErrorOf({"run", "--build-commit", "abc"}), ErrorKind::kUsage);
  EXPECT_EQ(ErrorOf({"run", "--config", "/nonexistent"}), ErrorKind::kConfig);
  EXPECT_TRUE(ParseCommandLine({"rum"}, {}).error().message.contains("did you mean 'run'"));
}

TEST(OptionsTest, EveryCommandHasHelpWithAnExample) {
  for (const CommandSpec& command : CommandTable()) {
    const auto parsed = ParseCommandLine({std::string(command.name), "--help"}, {});
    ASSERT_TRUE(parsed && parsed->help) << command.name;
    EXPECT_TRUE(parsed->help->text.contains("Example: ")) << command.name;
  }
}

TEST(ExitCodesTest, TheFirstInTheTableWins) {
  EXPECT_EQ(Worse(ExitCode::kComplete, ExitCode::kFindings), ExitCode::kFindings);
  EXPECT_EQ(Worse(ExitCode::kIncomplete, ExitCode::kNoSource), ExitCode::kNoSource);
  EXPECT_EQ(Worse(ExitCode::kInterrupted, ExitCode::kBug), ExitCode::kInterrupted);
}

// The generated pages are committed; UPDATE_GOLDEN=1 rewrites them and is refused in CI.
void ExpectPage(const std::string& path, const std::string& expected) {
  const fs::path file = fs::path(SOURCE_ROOT) / path;
  if (const char* update = std::getenv("UPDATE_GOLDEN"); update && *update) {
    ASSERT_EQ(std::getenv("CI"), nullptr) << "UPDATE_GOLDEN is refused in CI";
    std::ofstream(file) << expected;
  }
  std::ifstream in(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), expected)
      << path << " is not what the code says; run UPDATE_GOLDEN=1 and commit the result";
}

TEST(GeneratedDocsTest, OptionsPage) { ExpectPage("docs/options.md", RenderOptionsPage()); }
TEST(GeneratedDocsTest, Help) {
  const auto help_of = [](const std::vector<std::string>& arguments) {
    const auto parsed = ParseCommandLine(arguments, {});
    return parsed && parsed->help ? parsed->help->text : "no help for " + arguments.front();
  };
  std::string help = "$ xpu-align --help\n" + help_of({"--help"});
  for (const CommandSpec& command : CommandTable())
    help += "\n$ xpu-align " + std::string(command.name) + " --help\n" + help_of({std::string(command.name), "--help"});
  ExpectPage("tests/golden/help.txt", help);
}
TEST(GeneratedDocsTest, ExitCodesPage) { ExpectPage("docs/exit-codes.md", RenderExitCodesPage()); }

TEST(GeneratedDocsTest, DistillChecksPage) { ExpectPage("docs/distill-checks.md", distill::RenderChecksPage()); }

TEST(GeneratedDocsTest, RulesPage) {
  const auto page = RenderRulesPage();
  ASSERT_TRUE(page) << page.error().message;
  ExpectPage("docs/rules.md", *page);
}

// A refusal that the page leaves out would be shown to people without a meaning.
TEST(GeneratedDocsTest, RulesPageHasEveryRefusal) {
  std::set<Refusal> described;
  for (const RefusalMeaning& entry : RefusalsByWeight()) EXPECT_TRUE(described.insert(entry.refusal).second) << Name(entry.refusal);
  for (const char* name : {"absent-api-oracle", "source-text-oracle", "no-target-operation", "broad-except", "perf-only", "no-oracle",
                           "needs-multi-device", "needs-model", "needs-file", "no-counterpart", "not-python",
                           "unsafe-harness-access"})
    EXPECT_TRUE(described.erase(*RefusalNamed(name))) << name;
  EXPECT_TRUE(described.empty());
}

TEST(GeneratedDocsTest, ActionInputsAreThoseOfTheTable) {
  std::ifstream in(fs::path(SOURCE_ROOT) / "action.yml");
  const std::string action(std::istreambuf_iterator<char>(in), {});
  EXPECT_TRUE(action.contains(RenderActionInputs())) << RenderActionInputs();
}

}  // namespace
}  // namespace xpu_align
