#include "edge/recording/recording_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "digest/sha256.h"
#include "edge/store/durable_file.h"
#include "text/untrusted_text.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "manifest.json";
constexpr size_t kMaxFileBytes = 128u << 20;  // a body of 64 MiB, indented
constexpr size_t kMaxFiles = 200'000;
constexpr uint64_t kMaxBytes = uint64_t{4} << 30;  // of the whole recording

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int operator*() const { return fd_; }

 private:
  int fd_;
};

// `name`: a file of the folder, or of one folder in it. No link is followed below `folder`.
Result<std::string> ReadBounded(const fs::path& folder, const std::string& name) {
  const auto failed = [&name](ErrorKind kind) { return Fail(kind, name + ": " + std::strerror(errno)); };
  const Descriptor top(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (*top < 0) return failed(errno == ENOENT || errno == ENOTDIR ? ErrorKind::kNotFound : ErrorKind::kFileSystem);
  const size_t slash = name.find('/');
  const Descriptor inner(slash == std::string::npos ? ::dup(*top)
                                                    : ::openat(*top, name.substr(0, slash).c_str(),
                                                               O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  const std::string leaf = slash == std::string::npos ? name : name.substr(slash + 1);
  const Descriptor file(*inner < 0 ? -1 : ::openat(*inner, leaf.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (*file < 0) return failed(errno == ENOENT ? ErrorKind::kNotFound : ErrorKind::kProtocol);
  struct stat facts;
  if (::fstat(*file, &facts) != 0) return failed(ErrorKind::kFileSystem);
  if (!S_ISREG(facts.st_mode)) return Fail(ErrorKind::kProtocol, name + " is no regular file");
  std::string bytes;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = ::read(*file, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed(ErrorKind::kFileSystem);
    if (count == 0) return bytes;
    bytes.append(buffer, static_cast<size_t>(count));
    if (bytes.size() > kMaxFileBytes) return Fail(ErrorKind::kProtocol, name + " is larger than any file of a recording");
  }
}

}  // namespace

Result<RecordingWriter> RecordingWriter::Begin(fs::path folder, SecretScan scan) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder, error))
    return Fail(ErrorKind::kFileSystem, "can not make the folder " + folder.string() + " of the recording" +
                                            (error ? ": " + error.message() : ""));
  if (!fs::is_empty(folder, error) || error)
    return Fail(ErrorKind::kConfig, "--record " + folder.string() + ": the folder is not empty; name a new one");
  return RecordingWriter(std::move(folder), std::move(scan));
}

Status RecordingWriter::Scanned(const std::string& name, std::string_view bytes) {
  if (const auto found = scan_.FindIn(bytes))
    return Fail(ErrorKind::kFileSystem, "no recording was made: " + name + " would hold " + *found +
                                            "; that file was not written. Remove " + folder_.string() +
                                            ", and revoke the token if it is public");
  auto written = ReplaceFile(folder_ / name, bytes);
  if (!written) return Fail(Error{ErrorKind::kFileSystem, written.error().message}, "no recording was made");
  return {};
}

Status RecordingWriter::Write(const std::string& name, std::string_view bytes) {
  if (failure_) return std::unexpected(*failure_);
  if (const Status written = Scanned(name, bytes); !written) {
    failure_ = written.error();
    return written;
  }
  files_[name] = Sha256Hex(bytes);
  return {};
}

Status RecordingWriter::Finish(RecordingManifest manifest) {
  if (failure_) return std::unexpected(*failure_);
  manifest.files = files_;
  return Scanned(kManifest, WriteJson(ToJson(manifest)));
}

std::unexpected<Error> RecordingReader::Damaged(const std::string& name, const std::string& what) const {
  return Fail(ErrorKind::kProtocol, "the recording in " + folder_.string() + " is damaged or was changed: " +
                                        UntrustedText(name).ForLogLine(60) + ": " + UntrustedText(what).ForLogLine() +
                                        "; fetch or record it again");
}

Result<RecordingReader> RecordingReader::Open(fs::path folder) {
  RecordingReader reader(std::move(folder));
  const auto bytes = ReadBounded(reader.folder_, kManifest);
  if (!bytes && bytes.error().kind == ErrorKind::kNotFound)
    return Fail(ErrorKind::kNotFound, "there is no recording in " + reader.folder_.string() +
                                          " (no manifest.json): it was not finished, or it is another folder");
  if (!bytes) return reader.Damaged(kManifest, bytes.error().message);
  const auto json = ParseJson(*bytes);
  auto manifest = json ? ManifestFromJson(*json) : std::unexpected(json.error());
  if (!manifest) return reader.Damaged(kManifest, manifest.error().message);
  reader.manifest_ = std::move(*manifest);
  if (reader.manifest_.files.size() > kMaxFiles) return reader.Damaged(kManifest, "it names too many files");
  uint64_t total = 0;
  for (const auto& [name, sha256] : reader.manifest_.files) {
    TRY_ASSIGN(const std::string content, reader.Read(name));
    if ((total += content.size()) > kMaxBytes) return reader.Damaged(name, "the recording is over its limit of 4 GiB");
  }
  return reader;
}

Result<std::string> RecordingReader::Read(const std::string& name) const {
  const auto vouched = manifest_.files.find(name);
  if (vouched == manifest_.files.end()) return Damaged(name, "the manifest does not name it");
  auto bytes = ReadBounded(folder_, name);
  if (!bytes) return Damaged(name, bytes.error().message);
  if (Sha256Hex(*bytes) != vouched->second) return Damaged(name, "its bytes are not those of the manifest");
  return bytes;
}

Result<Json> RecordingReader::ReadJson(const std::string& name) const {
  TRY_ASSIGN(const std::string bytes, Read(name));
  auto json = ParseJson(bytes, {.max_bytes = kMaxFileBytes});
  if (!json) return Damaged(name, json.error().message);
  return json;
}

}  // namespace xpu_align
