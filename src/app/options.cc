#include "app/options.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace xpu_align {
namespace {

bool BelongsTo(const OptionSpec& option, std::string_view command) {
  if (option.commands == "*") return true;
  const std::string padded = " " + std::string(option.commands) + " ";
  return padded.contains(" " + std::string(command) + " ");
}

const CommandSpec* CommandNamed(std::string_view name) {
  for (const CommandSpec& command : CommandTable())
    if (command.name == name) return &command;
  return nullptr;
}

const OptionSpec* OptionNamed(std::string_view name) {
  for (const OptionSpec& option : OptionTable())
    if (option.name == name) return &option;
  return nullptr;
}

// The runner upper-cases an input's name and keeps its hyphens.
std::string InputVariable(std::string_view option) {
  std::string name = "INPUT_" + std::string(option);
  std::ranges::transform(name, name.begin(), [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return name;
}

// A file in a work tree of git, or below the workspace, may have been written by anyone who can open a PR.
bool LiesInRepository(const std::filesystem::path& file) {
  std::error_code error;
  for (auto folder = std::filesystem::absolute(file, error).parent_path(); !folder.empty();
       folder = folder.parent_path()) {
    if (std::filesystem::exists(folder / ".git", error)) return true;
    if (folder == folder.root_path()) break;
  }
  return false;
}

Status ApplyConfiguration(const std::string& path, Invocation* invocation) {
  std::vector<CLI::ConfigItem> items;
  std::error_code no_status;
  if (std::filesystem::is_directory(path, no_status))
    return Fail(ErrorKind::kConfig, "can not read --config " + path + ": it is a directory");
  try {
    items = CLI::ConfigTOML().from_file(path);
  } catch (const CLI::Error& error) {
    return Fail(ErrorKind::kConfig, "can not read --config " + path + ": " + error.what());
  }
  const bool in_repository = LiesInRepository(path);
  for (const CLI::ConfigItem& item : items) {
    const OptionSpec* option = item.parents.empty() ? OptionNamed(item.name) : nullptr;
    if (!option || item.inputs.size() != 1)
      return Fail(ErrorKind::kConfig, path + ": '" + item.fullname() + "' is not an option with one value");
    if (in_repository && option->trust == Trust::kNotFromRepository)
      return Fail(ErrorKind::kConfig, path + " lies in a repository and may not set '" + item.name +
                                          "'; give it as a flag, or keep the file elsewhere");
    if (!invocation->values.contains(item.name)) {
      invocation->values[item.name] = item.inputs[0];
      invocation->origin[item.name] = "file";
    }
  }
  return {};
}

std::string RenderHelp() {
  std::ostringstream help;
  help << "xpu-align finds out which of yesterday's PyTorch bugs are yours too.\n\nUsage: xpu-align COMMAND [OPTION...]\n\n"
          "Commands:\n";
  for (const CommandSpec& command : CommandTable()) {
    std::string head = std::string(command.name) + " " + std::string(command.argument);
    head.resize(std::max<size_t>(head.size(), 18), ' ');
    help << "  " << head << command.help << "\n";
  }
  help << "\n`xpu-align COMMAND --help` lists its options and shows an example.\n"
          "Documentation: docs/options.md, docs/exit-codes.md, docs/rules.md, docs/run-directory.md\n";
  return help.str();
}

std::string RenderHelp(const CommandSpec& command) {
  std::ostringstream help;
  help << "xpu-align " << command.name << ": " << command.help << "\n\nUsage: xpu-align " << command.name << " "
       << command.argument << (command.argument.empty() ? "" : " ") << "[OPTION...]\nExample: " << command.example
       << "\n\nOptions:\n";
  for (const OptionSpec& option : OptionTable()) {
    if (!BelongsTo(option, command.name)) continue;
    std::string head = "--" + std::string(option.name) + (option.value_name.empty() ? "" : " ") + std::string(option.value_name);
    head.resize(std::max<size_t>(head.size() + 2, 24), ' ');
    help << "  " << head << option.help;
    if (option.shape != ValueShape::kFlag && !option.default_value.empty()) help << " (default: " << option.default_value << ")";
    help << "\n";
  }
  return help.str();
}

std::string NearestCommand(const std::string& wrong) {
  std::string best;
  size_t best_shared = 1;
  for (const CommandSpec& command : CommandTable()) {
    size_t shared = 0;
    while (shared < wrong.size() && shared < command.name.size() && wrong[shared] == command.name[shared]) ++shared;
    if (shared > best_shared) best_shared = shared, best = command.name;
  }
  return best;
}

}  // namespace

const std::string& Invocation::Value(const std::string& option) const {
  const auto found = values.find(option);
  CHECK(found != values.end());  // every option of the table has a value after parsing
  return found->second;
}

bool Invocation::IsGiven(const std::string& option) const {
  const auto found = origin.find(option);
  return found != origin.end() && found->second != "default";
}

std::vector<std::string> Invocation::List(const std::string& option) const {
  std::vector<std::string> lines_given;
  std::istringstream lines(Value(option));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) lines_given.push_back(line);
  return lines_given;
}

Result<ParsedCommandLine> ParseCommandLine(const std::vector<std::string>& arguments, const Environment& environment) {
  ParsedCommandLine parsed;
  Invocation& invocation = parsed.invocation;
  if (arguments.size() == 2 && arguments[0] == "help") return ParseCommandLine({arguments[1], "--help"}, environment);
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    parsed.help = HelpText{RenderHelp()};
    return parsed;
  }
  const CommandSpec* command = CommandNamed(arguments[0]);
  if (!command) {
    const std::string nearest = NearestCommand(arguments[0]);
    return Fail(ErrorKind::kUsage, "there is no command '" + arguments[0] + "'" +
                                       (nearest.empty() ? "; " : "; did you mean '" + nearest + "'? ") +
                                       "`xpu-align --help` lists them");
  }
  invocation.command = command->name;

  CLI::App app;
  app.set_help_flag();
  bool wants_help = false;
  app.add_flag("--help,-h", wants_help);
  std::map<std::string, std::string> given;
  std::map<std::string, bool> flags;
  for (const OptionSpec& option : OptionTable()) {
    if (!BelongsTo(option, command->name)) continue;
    const std::string name(option.name);
    if (option.shape == ValueShape::kFlag) {
      app.add_flag("--" + name, flags[name]);
    } else {
      CLI::Option* added = app.add_option("--" + name, given[name]);
      if (option.shape == ValueShape::kList) added->multi_option_policy(CLI::MultiOptionPolicy::Join)->delimiter('\n');
    }
  }
  if (!command->argument.empty()) app.add_option("arguments", invocation.arguments);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend() - 1);
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    return Fail(ErrorKind::kUsage, std::string(error.what()) + "; `xpu-align " + invocation.command + " --help` shows what it takes");
  }
  if (wants_help) {
    parsed.help = HelpText{RenderHelp(*command)};
    return parsed;
  }
  // What a shell makes of "$RUN" when RUN is not set.
  if (std::ranges::count(invocation.arguments, "") > 0)
    return Fail(ErrorKind::kUsage, invocation.command + " got an empty argument; is a variable of the command line not set?");
  const auto put = [&](const std::string& name, const std::string& value, const char* origin) {
    if (invocation.values.contains(name)) return;
    invocation.values[name] = value;
    invocation.origin[name] = origin;
  };
  for (const auto& [name, value] : given)
    if (app.count("--" + name) > 0) put(name, value, "flag");
  for (const auto& [name, value] : flags)
    if (value) put(name, "true", "flag");
  for (const OptionSpec& option : OptionTable())
    if (const auto found = environment.find(InputVariable(option.name)); found != environment.end() && !found->second.empty())
      put(std::string(option.name), found->second, "input");
  if (const auto config = invocation.values.find("config"); config != invocation.values.end() && !config->second.empty())
    TRY(ApplyConfiguration(std::string(config->second), &invocation));
  for (const OptionSpec& option : OptionTable()) put(std::string(option.name), std::string(option.default_value), "default");
  // `fresh: yes` of a workflow or a file must not be read as no.
  for (const OptionSpec& option : OptionTable())
    if (const std::string& value = invocation.Value(std::string(option.name));
        option.shape == ValueShape::kFlag && value != "true" && value != "false")
      return Fail(ErrorKind::kConfig, "'" + std::string(option.name) + "' takes true or false, not '" + value + "'");
  return parsed;
}

std::string RenderOptionsPage() {
  std::ostringstream page;
  page << "# Commands and options\n\nGenerated from `src/app/option_table.cc`. Precedence: flag, `INPUT_<NAME>` (inputs of the action), "
          "configuration file\n(`--config`, TOML), default. Environment variables are read for the token (`GITHUB_TOKEN`), proxies, the CA "
          "file (`SSL_CERT_FILE`)\nand what GitHub Actions sets; nothing else.\n\n## Commands\n\n| command | does | example |\n| --- | --- | --- |\n";
  for (const CommandSpec& command : CommandTable())
    page << "| `" << command.name << (command.argument.empty() ? "" : " ") << command.argument << "` | " << command.help << " | `"
         << command.example << "` |\n";
  page << "\n## Options\n\nA configuration file that lies in a repository may not set the options marked with a lock: anyone who can open a "
          "pull request\ncould change it.\n\n| option | default | commands | meaning |\n| --- | --- | --- | --- |\n";
  for (const OptionSpec& option : OptionTable())
    page << "| `--" << option.name << (option.value_name.empty() ? "" : " ") << option.value_name << "`"
         << (option.trust == Trust::kNotFromRepository ? " 🔒" : "") << " | "
         << (option.default_value.empty() ? "" : "`" + std::string(option.default_value) + "`") << " | "
         << (option.commands == "*" ? "all" : option.commands) << " | " << option.help << " |\n";
  return page.str();
}

std::string RenderActionInputs() {
  std::ostringstream yaml;
  for (const OptionSpec& option : OptionTable()) {
    std::string help(option.help);
    if (option.shape != ValueShape::kFlag && !option.default_value.empty())
      help += " (default: " + std::string(option.default_value) + ")";
    for (size_t at = 0; (at = help.find('\'', at)) != std::string::npos; at += 2) help.insert(at, 1, '\'');
    // Empty means "not given", so that a run directory can still say what it is for.
    yaml << "  " << option.name << ":\n    description: '" << help << "'\n    default: ''\n";
  }
  return yaml.str();
}

}  // namespace xpu_align
