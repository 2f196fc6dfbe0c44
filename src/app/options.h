// The option table: one entry an option, from which the parser, --help, docs/options.md and the inputs of
// action.yml are made. Parsing only records strings; plans (plan.h) check and build.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/run.h"
#include "text/error.h"

namespace xpu_align {

// A list may be given several times, or as lines of one input; its values are joined by newlines.
enum class ValueShape { kValue, kFlag, kList };

// May a configuration file that lies in a repository set it?
enum class Trust { kAnywhere, kNotFromRepository };

struct OptionSpec {
  std::string_view name;        // without dashes; also INPUT_<NAME> and the key in a configuration file
  ValueShape shape;
  std::string_view value_name;  // DATE, PATH, ...
  std::string_view default_value;
  Trust trust;
  std::string_view commands;    // space separated; "*": all
  std::string_view help;
};

struct CommandSpec {
  std::string_view name;
  std::string_view argument;  // "[DIR]", "REF...", "ID" or empty
  std::string_view help;      // one line
  std::string_view example;
};

std::span<const OptionSpec> OptionTable();
std::span<const CommandSpec> CommandTable();

// What a person asked for, as text. `origin` says where a value came from, for messages.
struct Invocation {
  std::string command;
  std::vector<std::string> arguments;  // positional
  std::map<std::string, std::string> values;
  std::map<std::string, std::string> origin;  // flag, input, file, default

  const std::string& Value(const std::string& option) const;
  bool IsGiven(const std::string& option) const;  // not the default
  std::vector<std::string> List(const std::string& option) const;
  bool Flag(const std::string& option) const { return Value(option) == "true"; }
};

struct HelpText {
  std::string text;
};

// Flags, then INPUT_*, then the configuration file, then defaults. Asking for help is an outcome, not an
// error. kUsage for unknown commands and options, kConfig for the configuration file.
struct ParsedCommandLine {
  std::optional<HelpText> help;
  Invocation invocation;
};
Result<ParsedCommandLine> ParseCommandLine(const std::vector<std::string>& arguments, const Environment& environment);

// docs/options.md.
std::string RenderOptionsPage();
// The inputs of action.yml that are options; the shim's own inputs stand before them.
std::string RenderActionInputs();

}  // namespace xpu_align
