// Channel: whole JSON messages with descriptors between two of our own processes (SOCK_SEQPACKET). Bulk
// goes through memory files. The script never holds an end of one. Used by session, launcher, supervisor.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "edge/sandbox/process.h"
#include "json/json.h"

namespace xpu_align::sandbox {

struct Message {
  Json json;
  std::vector<Descriptor> descriptors;
};

constexpr size_t kMaxMessageBytes = 64 << 10;
constexpr size_t kMaxMessageDescriptors = 8;

// Two connected ends, both closed on exec.
Result<std::pair<Descriptor, Descriptor>> MakeChannel();

Status Send(const Descriptor& end, const Json& json, const std::vector<int>& descriptors = {});
// kNetwork when nothing came within `millis` or the other end is closed (the message says which).
Result<Message> Receive(const Descriptor& end, int64_t millis);

// A sealed-size anonymous file with `bytes`, at offset 0.
Result<Descriptor> MemoryFile(std::string_view bytes);
// Everything from offset 0.
Result<std::string> ReadMemoryFile(int fd, size_t max_bytes);

}  // namespace xpu_align::sandbox
