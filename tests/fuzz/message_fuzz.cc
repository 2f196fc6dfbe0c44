// Any message of an exception: normalising gives one line without edges, and the same when it is done again, so that the
// message of a report and of a run meet; similarity is symmetric, between 0 and 1, and 1 with itself.
#include "fuzz/properties.h"
#include "judge/normalise.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  static const Normaliser normaliser({"cuda", "xpu", "cpu"});
  const HeadAndRest input = Divided(TextOf(data, size));
  const std::string message(TextOf(data, size));
  const std::string once = normaliser.Apply(message), other = normaliser.Apply(input.rest);
  CHECK(IsOneLine(once) && !once.starts_with(' ') && !once.ends_with(' ') && !once.contains("  "));
  CHECK(normaliser.Apply(once) == once);
  CHECK(IsOneLine(FirstLine(message)) || FirstLine(message).contains('\r'));
  const double similarity = Similarity(once, other);
  CHECK(0 <= similarity && similarity <= 1 && similarity == Similarity(other, once));
  CHECK(Similarity(once, once) == 0 || Similarity(once, once) == 1);
  // The device's name never makes two messages differ.
  CHECK(normaliser.Apply("tensor on cuda:1 " + message) == normaliser.Apply("tensor on xpu " + message));
  return 0;
}
