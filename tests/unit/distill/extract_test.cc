#include "distill/extract.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace xpu_align::distill {
namespace {

// Each fact as "kind subject first-last value", sorted.
std::vector<std::string> Facts(const std::string& text, const std::string& path, FactKind kind,
                               const ScopeReaders& readers = {}) {
  const SourceText source(text);
  const std::string repo = "r", blob = "b";
  std::vector<std::string> out;
  for (const Fact& fact : ExtractFacts({repo, path, blob, source, std::nullopt}, readers, {kind}))
    out.push_back(fact.subject + " " + std::to_string(fact.Cite().lines.first) + "-" +
                  std::to_string(fact.Cite().lines.last) + " " + WriteJsonLine(fact.value));
  std::ranges::sort(out);
  return out;
}
using Lines = std::vector<std::string>;

TEST(CppTest, Registrations) {
  EXPECT_EQ(
      Facts("TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {\n  m.impl(\"add.out\",\n         TORCH_FN(add));\n  "
            "m.fallback(f);\n}\n",
            "a.cpp", FactKind::kReg),
      (Lines{
          R"j(TORCH_LIBRARY_IMPL 1-1 {"arguments":["aten","PrivateUse1","m"],"macro":"TORCH_LIBRARY_IMPL"})j",
          R"j(aten::add.out 2-3 {"call":"impl","dispatch":"PrivateUse1","kernel":"TORCH_FN(add)","library":"aten","name":"add.out"})j",
          R"j(aten::f 4-4 {"call":"fallback","dispatch":"PrivateUse1","library":"aten","name":"f"})j"}));
  EXPECT_EQ(
      Facts("void registerThing(int x);\nvoid F() { c10::registerThing(3); }\nRegisterRunner runner(\"npu\", &make);\n",
            "a.cpp", FactKind::kReg),
      (Lines{R"j(RegisterRunner 3-3 {"arguments":["\"npu\"","&make"],"call":"RegisterRunner"})j",
             R"j(registerThing 2-2 {"arguments":["3"],"call":"registerThing"})j"}));
  EXPECT_TRUE(Facts("#define REGISTER_X(a) f(a)\n", "a.cpp", FactKind::kReg).empty());
}

TEST(CppTest, MacroContinuedByAnEmptyLine) {
  EXPECT_EQ(Facts("#define WRAP(x) \\\n  f(x) /* why */ \\\n\nint y;\n", "a.h", FactKind::kMacro),
            (Lines{R"j(WRAP 1-2 {"body":"f(x)","name":"WRAP","parameters":"x"})j"}));
}

TEST(CppTest, PybindIsNoRegistration) {
  EXPECT_TRUE(Facts("PYBIND11_MODULE(x, m) { m.def(\"run\", &run); }\n", "a.cpp", FactKind::kReg).empty());
  EXPECT_EQ(Facts("PYBIND11_MODULE(x, m) { m.def(\"run\", &run); }\n", "a.cpp", FactKind::kApi).size(), 1u);
}

TEST(CppTest, Environment) {
  EXPECT_EQ(Facts("bool F() {\n  static auto v = c10::utils::check_env(\"A_B\");\n  return getCvarBool(ALIASES_OF_X, "
                  "false);\n}\n",
                  "a.cpp", FactKind::kEnv),
            (Lines{R"j(ALIASES_OF_X 3-3 {"default":"false","names":["ALIASES_OF_X"],"reader":"getCvarBool"})j",
                   R"j(A_B 2-2 {"default":null,"names":["A_B"],"read_once":true,"reader":"check_env"})j"}));
  EXPECT_EQ(
      Facts("static std::vector<std::string> NEW_NAME = {\"NEW_NAME\", \"OLD_NAME\"};\n", "a.hpp", FactKind::kEnv),
      (Lines{R"j(NEW_NAME,OLD_NAME 1-1 {"default":null,"names":["NEW_NAME","OLD_NAME"],"reader":"declared"})j"}));
  EXPECT_EQ(
      Facts("int F() { return GetOption(\"MY_ENV\", 3); }\n", "a.cpp", FactKind::kEnv, {.env = {"GetOption"}}).size(),
      1u);
  EXPECT_EQ(Facts("void F() { setenv(\"A_B\", \"1\", 1); }\n", "a.cpp", FactKind::kEnvSet),
            (Lines{R"j(A_B 1-1 {"call":"setenv","names":["A_B"],"value":"\"1\""})j"}));
}

TEST(CppTest, ChecksAndThrows) {
  EXPECT_EQ(Facts("void A::f() {\n  if (bad(x)) {\n    throw std::runtime_error(\"bad \" + x);\n  }\n  try { g(); } "
                  "catch (...) { throw; }\n}\n",
                  "a.cpp", FactKind::kCheck),
            (Lines{R"j(A::f 3-3 {"macro":"throw","message":"bad {}","type":"std::runtime_error","under":"bad(x)"})j"}));
  EXPECT_EQ(Facts("void f() { TORCH_CHECK_WITH(ValueError, a == b, c10::str(\"no \", a)); AT_ERROR(\"never\"); }\n",
                  "a.cpp", FactKind::kCheck),
            (Lines{R"j(f 1-1 {"condition":"a == b","macro":"TORCH_CHECK_WITH","message":"no {}"})j",
                   R"j(f 1-1 {"macro":"AT_ERROR","message":"never"})j"}));
  EXPECT_EQ(
      Facts("void f() { TORCH_CHECK(R\"(a \"raw\" text)\" != x, R\"(why \"not\")\"); }\n", "a.cpp", FactKind::kCheck),
      (Lines{R"--(f 1-1 {"condition":"R\"(a \"raw\" text)\" != x","macro":"TORCH_CHECK","message":"why \"not\""})--"}));
  EXPECT_EQ(Facts("void f() { TORCH_WARN_ONCE(\"slow \", \"path\"); LOG(WARNING) << \"old \" << x; }\n", "a.cpp",
                  FactKind::kWarn)
                .size(),
            2u);
}

TEST(CppTest, EnumsConstantsFields) {
  EXPECT_EQ(Facts("class A {\n enum class Mode : int8_t { kOff = 0, kOn };\n};\n", "a.h", FactKind::kEnum),
            (Lines{R"j(A::Mode 2-2 {"members":["kOff = 0","kOn"],"name":"Mode"})j"}));
  EXPECT_EQ(Facts("enum class RunState { A, B };\n", "a.h", FactKind::kState).size(), 1u);
  EXPECT_EQ(Facts("constexpr size_t kSmall = 2 * 1024;\nint changing = 3;\n", "a.h", FactKind::kConst),
            (Lines{R"j(kSmall 1-1 {"default":"2 * 1024","name":"kSmall","type":"constexpr size_t"})j"}));
  EXPECT_EQ(Facts("struct A {\n  int n = f(1);\n  bool on_{true};\n  void g();\n};\n", "a.h", FactKind::kField),
            (Lines{R"j(A::n 2-2 {"default":"f(1)","name":"n","type":"int"})j",
                   R"j(A::on_ 3-3 {"default":"true","name":"on_","type":"bool"})j"}));
}

TEST(CppTest, Members) {
  const std::string text =
      "struct TORCH_API Base {\n  Base() : x_{1}, y_(2) {}\n  virtual ~Base() = default;\n  virtual int pure(int a = "
      "0) const = 0;\n"
      "  virtual void no() { TORCH_CHECK(false, \"no\"); }\n  virtual bool guess() { if (a) { throw 1; } return false; "
      "}\n  int x_; int y_;\n};\n"
      "class Sub final : public ns::Base, Other<int> {\n public:\n  int pure(int a) const override { return 1; }\n  "
      "void no() override;\n};\n";
  const SourceText source(text);
  const auto classes = ExtractClasses(source, "a.h");
  ASSERT_EQ(classes.size(), 2u);
  using State = ClassMember::State;
  ASSERT_EQ(classes[0].members.size(), 3u);
  EXPECT_EQ(classes[0].members[0].state, State::kPure);
  EXPECT_EQ(classes[0].members[1].state, State::kThrows);
  EXPECT_EQ(classes[0].members[2].state, State::kDefault);
  EXPECT_EQ(classes[1].bases, (Lines{"Base", "Other"}));
  ASSERT_EQ(classes[1].members.size(), 2u);
  EXPECT_EQ(classes[1].members[1].state, State::kOverride);
  EXPECT_EQ(Facts(text, "a.h", FactKind::kVirtual).size(), 3u);
  EXPECT_EQ(Facts(text, "a.h", FactKind::kOverride).size(), 2u);
  EXPECT_EQ(Facts("TORCH_API void run(int n);\nvoid hidden();\n", "a.h", FactKind::kApi).size(), 1u);
}

TEST(CppTest, ConfigurationKeys) {
  EXPECT_EQ(
      Facts("void parse() { if (key == \"max_split\") {} else if (value == \"other\") {} }\n", "a.cpp", FactKind::kCfg)
          .size(),
      1u);
  EXPECT_EQ(Facts("static std::set<std::string> getKeys() { return {\"one_key\", \"two_key\", \"True\"}; }\n", "a.h",
                  FactKind::kCfg)
                .size(),
            2u);
}

TEST(CppTest, BrokenTextGivesWhatItCan) {
  EXPECT_EQ(Facts("void f() { TORCH_CHECK(a, \"seen\"); } )))\n}}} void g( { \n\"torn\nvoid h() { TORCH_CHECK(b, "
                  "\"also\"); }\n",
                  "a.cpp", FactKind::kCheck)
                .size(),
            2u);
  for (const char* text : {"", "{", "(((", "\"", "'", "/*", "#define", "#if", "R\"(", "TORCH_CHECK(", "enum {", "\\"})
    for (const FactKind kind : AllKinds()) Facts(text, "a.cpp", kind);
}

TEST(PythonTest, Environment) {
  EXPECT_EQ(
      Facts("import os\nA = os.getenv('X_A', '1')\ndef f():\n    return os.environ.get(\"X_B\") or os.environ['X_C']\n",
            "a.py", FactKind::kEnv),
      (Lines{R"j(X_A 2-2 {"default":"'1'","names":["X_A"],"read_once":true,"reader":"os.getenv"})j",
             R"j(X_B 4-4 {"default":null,"names":["X_B"],"reader":"os.environ.get"})j",
             R"j(X_C 4-4 {"default":null,"names":["X_C"],"reader":"os.environ[]"})j"}));
  EXPECT_EQ(
      Facts("import os\nos.environ['X'] = '1'\nos.environ.setdefault('Y', '2')\n", "a.py", FactKind::kEnvSet).size(),
      2u);
}

TEST(PythonTest, RaisesAndWarnings) {
  EXPECT_EQ(Facts("class A:\n  def f(self, x):\n    if x < 0:\n      raise ValueError(f'no {x} ' 'here')\n    assert "
                  "x, 'zero'\n    raise\n",
                  "a.py", FactKind::kCheck),
            (Lines{R"j(A.f 4-4 {"macro":"raise","message":"no {} here","type":"ValueError","under":"x < 0"})j",
                   R"j(A.f 5-5 {"condition":"x","macro":"assert","message":"zero"})j"}));
  EXPECT_EQ(Facts("import warnings\nwarnings.warn('old', DeprecationWarning)\n", "a.py", FactKind::kWarn).size(), 1u);
}

TEST(PythonTest, Registrations) {
  EXPECT_EQ(
      Facts("@register_backend(name='x')\ndef f(): pass\n@register\ndef g(): pass\nrename_privateuse1_backend('npu')\n"
            "class M:\n  def h(self): self.register_buffer('b', None)\n",
            "a.py", FactKind::kReg)
          .size(),
      3u);
  EXPECT_EQ(
      Facts("setup(entry_points={'torch.backends': ['npu = torch_npu:_autoload']})\n", "setup.py", FactKind::kReg),
      (Lines{R"j(torch.backends 1-1 {"name":"npu = torch_npu:_autoload","under":"torch.backends"})j"}));
}

TEST(PythonTest, StatesAndConfiguration) {
  EXPECT_EQ(Facts("class Act(enum.Enum):\n  A = 0\n  B = 1\n", "a.py", FactKind::kEnum),
            (Lines{R"j(Act 1-3 {"members":["A = 0","B = 1"],"name":"Act"})j"}));
  EXPECT_EQ(
      Facts("class C:\n  def f(self):\n    self.map = {(A, B): 1, (B, C): 2, (C, A): 3}\n", "a.py", FactKind::kState)
          .size(),
      1u);
  EXPECT_EQ(Facts("fast: bool = True\n", "config.py", FactKind::kCfg),
            (Lines{R"j(fast 1-1 {"default":"True","key":"fast","name":"fast","type":"bool"})j"}));
  EXPECT_TRUE(Facts("fast: bool = True\n", "other.py", FactKind::kCfg).empty());
}

TEST(WindowTest, NothingOutsideIsSeen) {
  const SourceText source("constexpr int kA = 1;\nconstexpr int kB = 2;\nconstexpr int kC =\n  3;\n");
  const std::string repo = "r", path = "a.h", blob = "b";
  const auto facts = ExtractFacts({repo, path, blob, source, LineRange{2, 3}}, {}, {FactKind::kConst});
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_EQ(facts[0].subject, "kB");
}

TEST(TokenHashTest, FormattingDoesNotCount) {
  const auto same = [](const char* a, const char* b, const char* path) {
    return TokenHash(a, path) == TokenHash(b, path);
  };
  EXPECT_TRUE(same("f(a, \"x\" \"y\");", "f(\n  a,  // why\n  \"xy\"\n);", "a.cpp"));
  EXPECT_TRUE(same("f(a, 'x',)", "f(a, \"x\")  # why", "a.py"));
  EXPECT_FALSE(same("f(a, \"x\");", "f(b, \"x\");", "a.cpp"));
  EXPECT_FALSE(same("f(a1)", "f(a, 1)", "a.cpp"));
  EXPECT_FALSE(same("f(\"a b\")", "f(\"ab\")", "a.cpp"));
}

}  // namespace
}  // namespace xpu_align::distill
