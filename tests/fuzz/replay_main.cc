// Runs a fuzz target over its corpus: every file of a folder, every prefix of it, and every single byte
// changed, so that each ctest run is a small deterministic fuzzing session. The same targets link with
// libFuzzer:  clang++ -fsanitize=fuzzer,address ...  (docs/architecture.md).
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

void Run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 64;
  size_t files = 0, inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string whole(std::istreambuf_iterator<char>(in), {});
    ++files;
    const size_t step = whole.size() / 512 + 1;  // long inputs are sampled
    for (size_t at = 0; at <= whole.size(); at += step) {
      Run(whole.substr(0, at));
      if (at < whole.size())
        for (const char byte : {'\0', '"', '\n', '\xff', '`', '{'}) {
          std::string changed = whole;
          changed[at] = byte;
          Run(changed);
        }
      inputs += 7;
    }
  }
  std::printf("%zu files, %zu inputs\n", files, inputs);
  return files ? 0 : 1;  // an empty corpus tests nothing
}
