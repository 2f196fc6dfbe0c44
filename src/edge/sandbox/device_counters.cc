#include "edge/sandbox/device_counters.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

namespace xpu_align::sandbox {
namespace {

// drm-engine-<name>: "<n> ns" (i915) and drm-cycles-<name>: "<n>" (xe); drm-engine-capacity-<name> counts engines.
bool IsWork(const std::string& key) {
  return key.starts_with("drm-cycles-") || (key.starts_with("drm-engine-") && !key.starts_with("drm-engine-capacity-"));
}

struct Client {
  std::string id;  // empty: not a DRM descriptor
  uint64_t work = 0;
};

Client ReadClient(const std::filesystem::path& file) {
  Client client;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = line.substr(0, colon);
    if (key == "drm-client-id" || key == "drm-pdev") client.id += line.substr(colon + 1) + "/";
    if (IsWork(key)) client.work += std::strtoull(line.c_str() + colon + 1, nullptr, 10);
  }
  return client;
}

}  // namespace

std::optional<uint64_t> DeviceWork(const std::vector<pid_t>& processes, const std::string& proc) {
  std::set<std::string> seen;  // descriptors that were duplicated or inherited show the same client
  std::optional<uint64_t> sum;
  for (const pid_t pid : processes) {
    std::error_code error;
    std::filesystem::directory_iterator it(proc + "/" + std::to_string(pid) + "/fdinfo", error);
    for (const std::filesystem::directory_iterator end; !error && it != end; it.increment(error)) {
      const Client client = ReadClient(it->path());
      if (!client.id.empty() && seen.insert(client.id).second) sum = sum.value_or(0) + client.work;
    }
  }
  return sum;
}

}  // namespace xpu_align::sandbox
