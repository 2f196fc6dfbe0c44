#include "edge/sandbox/channel.h"

#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace xpu_align::sandbox {

Result<std::pair<Descriptor, Descriptor>> MakeChannel() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return Fail(ErrorKind::kSandbox, SystemFailure("no socket pair"));
  return std::pair(Descriptor(ends[0]), Descriptor(ends[1]));
}

Status Send(const Descriptor& end, const Json& json, const std::vector<int>& descriptors) {
  std::string text = WriteJsonLine(json);
  if (text.size() > kMaxMessageBytes || descriptors.size() > kMaxMessageDescriptors)
    return Fail(ErrorKind::kSandbox, "a message to the sandbox is too large");
  iovec part{text.data(), text.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMaxMessageDescriptors)] = {};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (!descriptors.empty()) {
    header.msg_control = control;
    header.msg_controllen = CMSG_SPACE(sizeof(int) * descriptors.size());
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int) * descriptors.size());
    ::memcpy(CMSG_DATA(rights), descriptors.data(), sizeof(int) * descriptors.size());
  }
  ssize_t sent;
  do {
    sent = ::sendmsg(end.get(), &header, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0) return Fail(ErrorKind::kNetwork, SystemFailure("the sandbox does not listen"));
  return {};
}

Result<Message> Receive(const Descriptor& end, int64_t millis) {
  pollfd ready{end.get(), POLLIN, 0};
  int count;
  do {
    count = ::poll(&ready, 1, static_cast<int>(millis));
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return Fail(ErrorKind::kNetwork, "no answer in time");
  std::string buffer(kMaxMessageBytes, '\0');
  iovec part{buffer.data(), buffer.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMaxMessageDescriptors)] = {};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  ssize_t got;
  do {
    got = ::recvmsg(end.get(), &header, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  Message message;
  for (cmsghdr* part_header = got < 0 ? nullptr : CMSG_FIRSTHDR(&header); part_header;
       part_header = CMSG_NXTHDR(&header, part_header)) {
    if (part_header->cmsg_level != SOL_SOCKET || part_header->cmsg_type != SCM_RIGHTS) continue;
    const size_t descriptors = (part_header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < descriptors; ++i) {
      int fd;
      ::memcpy(&fd, CMSG_DATA(part_header) + i * sizeof(int), sizeof fd);
      message.descriptors.emplace_back(fd);
    }
  }
  if (got <= 0) return Fail(ErrorKind::kNetwork, "the other end is closed");
  if (header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) return Fail(ErrorKind::kProtocol, "a message was cut off");
  TRY_ASSIGN(message.json, ParseJson(std::string_view(buffer).substr(0, static_cast<size_t>(got)),
                                     {.max_bytes = kMaxMessageBytes, .max_depth = 16}));
  return message;
}

Result<Descriptor> MemoryFile(std::string_view bytes) {
  Descriptor file(::memfd_create("xpu-align", MFD_CLOEXEC));
  if (!file.valid()) return Fail(ErrorKind::kSandbox, SystemFailure("no memory file"));
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t written = ::write(file.get(), bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno != EINTR)
      return Fail(ErrorKind::kSandbox, SystemFailure("a memory file can not be written"));
    if (written > 0) done += static_cast<size_t>(written);
  }
  return file;
}

Result<std::string> ReadMemoryFile(int fd, size_t max_bytes) {
  struct stat status;
  if (::fstat(fd, &status) != 0 || static_cast<size_t>(status.st_size) > max_bytes)
    return Fail(ErrorKind::kSandbox, "a memory file is too large");
  std::string bytes(static_cast<size_t>(status.st_size), '\0');
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t got = ::pread(fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (got == 0 || (got < 0 && errno != EINTR))
      return Fail(ErrorKind::kSandbox, SystemFailure("a memory file is short"));
    if (got > 0) done += static_cast<size_t>(got);
  }
  return bytes;
}

}  // namespace xpu_align::sandbox
