// The folder of a recording. The writer lets nothing reach the disk that it did not scan for secrets; the reader gives
// only the bytes that the manifest vouches for: regular files of bounded size, no links. Used by recorder and replayer.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "edge/recording/recording_format.h"
#include "edge/recording/secret_scan.h"

namespace xpu_align {

class RecordingWriter {
 public:
  // Makes the folder. kConfig when it is there and not empty, kFileSystem when it can not be made.
  static Result<RecordingWriter> Begin(std::filesystem::path folder, SecretScan scan);

  // Fails, and goes on failing, from the first file that holds a secret or can not be written: such a file is not
  // left behind.
  Status Write(const std::string& name, std::string_view bytes);
  // Writes the manifest, without which the folder is no recording.
  Status Finish(RecordingManifest manifest);

 private:
  RecordingWriter(std::filesystem::path folder, SecretScan scan) : folder_(std::move(folder)), scan_(std::move(scan)) {}
  Status Scanned(const std::string& name, std::string_view bytes);

  std::filesystem::path folder_;
  SecretScan scan_;
  std::map<std::string, std::string> files_;
  std::optional<Error> failure_;
};

class RecordingReader {
 public:
  // Checks every file. kNotFound without a manifest, kProtocol for what is damaged, changed, too large or a link.
  static Result<RecordingReader> Open(std::filesystem::path folder);

  const RecordingManifest& Manifest() const { return manifest_; }
  // A file that the manifest names, checked again.
  Result<std::string> Read(const std::string& name) const;
  Result<Json> ReadJson(const std::string& name) const;

 private:
  explicit RecordingReader(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::unexpected<Error> Damaged(const std::string& name, const std::string& what) const;

  std::filesystem::path folder_;
  RecordingManifest manifest_;
};

}  // namespace xpu_align
