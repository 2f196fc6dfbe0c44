// Runs a fuzz target over its corpus: every file of a folder, every prefix of it, and every single byte
// changed, so that each ctest run is a small deterministic fuzzing session. The same targets link with
// libFuzzer:  clang++ -fsanitize=fuzzer,address ...  (docs/architecture.md).
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

const std::string* running = nullptr;

// The input that a property did not hold for, ready to become a file of the corpus or a unit test.
void TellInput(int) {
  std::fputs("with the input \"", stderr);
  for (const char c : *running)
    if (c >= ' ' && c < '\x7f' && c != '"' && c != '\\')
      std::fputc(c, stderr);
    else
      std::fprintf(stderr, "\\%03o", static_cast<unsigned char>(c));
  std::fputs("\"\n", stderr);
}

void Run(const std::string& input) {
  running = &input;
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 64;
  std::signal(SIGABRT, TellInput);
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
