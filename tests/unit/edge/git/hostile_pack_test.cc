// A pack whose delta says that it grows to gigabytes, given to the indexer that every fetch goes through.
#include <git2.h>
#include <gtest/gtest.h>
#include <openssl/sha.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>

#include "edge/git/handles.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

// zlib's format without compression.
std::string Stored(const std::string& bytes) {
  uint32_t a = 1, b = 0;
  for (const unsigned char c : bytes) a = (a + c) % 65521, b = (b + a) % 65521;
  const auto size = static_cast<uint16_t>(bytes.size());
  const auto byte = [](uint32_t value) { return std::string(1, static_cast<char>(value)); };
  return "\x78\x01\x01" + byte(size & 255) + byte(size >> 8) + byte(~size & 255) + byte((~size >> 8) & 255) + bytes +
         byte(b >> 8) + byte(b & 255) + byte(a >> 8) + byte(a & 255);
}

std::string Varint(uint64_t value) {
  std::string bytes;
  for (; value >= 128; value >>= 7) bytes += static_cast<char>((value & 127) | 128);
  return bytes + static_cast<char>(value);
}

// Two objects: the blob "a", and a delta that copies this byte twice and claims a size.
std::string PackWithDelta(uint64_t claimed_size) {
  std::string pack("PACK\0\0\0\2\0\0\0\2", 12);
  const std::string blob = "\x31" + Stored("a");
  const std::string delta = Varint(1) + Varint(claimed_size) + "\x90\x01\x90\x01";
  pack += blob + static_cast<char>(0x60 | delta.size()) + static_cast<char>(blob.size()) + Stored(delta);
  unsigned char sum[SHA_DIGEST_LENGTH];
  SHA1(reinterpret_cast<const unsigned char*>(pack.data()), pack.size(), sum);
  return pack + std::string(reinterpret_cast<const char*>(sum), sizeof sum);
}

bool IsIndexed(const std::string& pack) {
  const fs::path folder = fs::temp_directory_path() / ("xpu_align_pack." + std::to_string(::getpid()));
  fs::create_directories(folder);
  git_indexer* indexer = nullptr;
  EXPECT_EQ(git_indexer_new(&indexer, folder.c_str(), 0, nullptr, nullptr), 0);
  git_indexer_progress stats{};
  const bool done = git_indexer_append(indexer, pack.data(), pack.size(), &stats) == 0 &&
                    git_indexer_commit(indexer, &stats) == 0;
  git_indexer_free(indexer);
  fs::remove_all(folder);
  return done;
}

TEST(HostilePack, DeltaBombIsRefusedAndTakesNoMemory) {
  StartLibgit2();
  EXPECT_TRUE(IsIndexed(PackWithDelta(2)));
  EXPECT_FALSE(IsIndexed(PackWithDelta(uint64_t{300} << 20)));
  EXPECT_FALSE(IsIndexed(PackWithDelta(uint64_t{4} << 30)));
  EXPECT_FALSE(IsIndexed(PackWithDelta(uint64_t{1} << 62)));
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  EXPECT_LT(usage.ru_maxrss, 256 * 1024);
}

}  // namespace
}  // namespace xpu_align
