#include <unistd.h>

#include <string_view>

#include "app/console.h"
#include "app/run.h"

int main(int argc, char** argv) {
  xpu_align::Environment environment;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view pair(*entry);
    if (const size_t equals = pair.find('='); equals != std::string_view::npos)
      environment.emplace(pair.substr(0, equals), pair.substr(equals + 1));
  }
  return xpu_align::Run({argv + 1, argv + argc}, environment, xpu_align::StandardOutput(), xpu_align::StandardError());
}
