#include "judge/normalise.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

const Normaliser& Plain() {
  static const Normaliser normaliser({"cuda", "xpu", "cpu", "testdev"});
  return normaliser;
}
std::string N(std::string_view message) { return Plain().Apply(message); }

TEST(Normalise, SlotsReplaceWhatChangesFromMachineToMachine) {
  const std::pair<const char*, const char*> cases[] = {
      {"expected 3 but got -1.5e-07", "expected <n> but got <n>"},
      {"size .25 of 7.", "size <n> of <n>."},
      {"at 0x7fff00Ab in /tmp/x/run.py:33", "at <addr> in <path>"},
      {"assert at aten/src/ATen/native/Foo.cpp:12", "assert at <path>"},
      {"on cuda:0, XPU and testdev:12", "on <device>, <device> and <device>"},
      {"torch.cuda.FloatTensor", "torch.<device>.FloatTensor"},
      {"shape [2, 3, 4] and (1,)", "shape [<n>] and (<n>)"},
      {"  many\n\n  lines\there ", "many lines here"},
      {"\x1b[31mred\x1b[0m 5", "red <n>"},
      {"at <address> in /tmp/<name> after <duration>", "at <addr> in <path> after <n>"},
      {"waited 5.2 ms and 30 seconds", "waited <n> and <n>"},
      {"", ""},
  };
  for (const auto& [message, expected] : cases) EXPECT_EQ(N(message), expected) << message;
}

TEST(Normalise, WordsThatHoldDigitsOrDeviceNamesStay) {
  for (const char* word : {"float32", "conv2d", "2d", "1st", "cudaError_t", "addmm_cuda", "SparseCUDA", "a.b"})
    EXPECT_EQ(N(word), word);
}

TEST(Normalise, CutsWhatTorchAppendsToEveryMessage) {
  EXPECT_EQ(N("bad shape 3\nException raised from check at x.cpp:3 (most recent call first):\nframe #0"), "bad shape <n>");
  EXPECT_EQ(N("no lowering\n\nSet TORCHDYNAMO_VERBOSE=1 for the trace"), "no lowering");
  EXPECT_EQ(N("no lowering\n\nfrom user code:\n File x"), "no lowering");
  EXPECT_EQ(N("the data comes from user code: line"), "the data comes from user code: line");
}

TEST(Normalise, IsIdempotentOnItsOwnOutput) {
  for (const char* message : {"expected 3 at 0x12 on cuda:1 in /a/b/c", "shape [1, 2] of x"})
    EXPECT_EQ(N(N(message)), N(message));
}

TEST(Normalise, TakesAnyBytes) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
  EXPECT_FALSE(N(bytes).empty());
  EXPECT_LE(N(std::string(1 << 20, '7')).size(), 8000u);
}

TEST(Similarity, CountsSharedTokens) {
  EXPECT_DOUBLE_EQ(Similarity("expected <n> but got <n>", "expected <n> but got <n>"), 1.0);
  EXPECT_DOUBLE_EQ(Similarity("a b c d", "a b c e"), 0.75);
  EXPECT_DOUBLE_EQ(Similarity("a b", "b, a!"), 1.0);  // punctuation and order are formatting
  EXPECT_DOUBLE_EQ(Similarity("a a a", "a"), 0.5);    // multisets: repeating a word does not buy agreement
  EXPECT_DOUBLE_EQ(Similarity("a b", "c d"), 0.0);
}

TEST(Similarity, SlotsAloneSayNothing) {
  EXPECT_DOUBLE_EQ(Similarity("<n> <n>", "<n> <n>"), 0.0);
  EXPECT_DOUBLE_EQ(Similarity("", ""), 0.0);
}

TEST(FirstLine, SkipsLeadingBlankLines) {
  EXPECT_EQ(FirstLine("\n  first\nsecond"), "first");
  EXPECT_EQ(FirstLine("\n \n"), "");
}

}  // namespace
}  // namespace xpu_align
