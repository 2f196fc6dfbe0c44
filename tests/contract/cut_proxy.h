// CutProxy: a port in front of a server that passes everything on, until one answer is as long as asked: then it resets
// the connection, or keeps it open and sends nothing more. Used by git_contract.cc.
#pragma once
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>

namespace xpu_align {

class CutProxy {
 public:
  enum class Cut { kReset, kStall };

  // `after` bytes of what the server on `port` sends in one connection.
  CutProxy(int port, Cut cut, size_t after) : server_port_(port), cut_(cut), after_(after) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = Loopback(0);
    socklen_t size = sizeof address;
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    ::listen(listener_, 8);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~CutProxy() {
    stop_ = true;
    thread_.join();
    ::close(listener_);
  }

  std::string Base() const { return "http://127.0.0.1:" + std::to_string(port_); }
  int Cuts() const { return cuts_; }

 private:
  static sockaddr_in Loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }

  // Connections one after the other: a fetch has one at a time.
  void Serve() {
    while (!stop_) {
      pollfd waiting{listener_, POLLIN, 0};
      if (::poll(&waiting, 1, 20) <= 0) continue;
      const int client = ::accept(listener_, nullptr, nullptr);
      const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      const sockaddr_in address = Loopback(server_port_);
      if (::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) Pass(client, server);
      ::close(server);
      ::close(client);
    }
  }

  void Pass(int client, int server) {
    size_t sent = 0;
    char bytes[4096];
    while (!stop_) {
      pollfd ends[] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
      if (::poll(ends, 2, 20) <= 0) continue;
      if (ends[0].revents != 0) {
        const ssize_t got = ::read(client, bytes, sizeof bytes);
        if (got <= 0 || ::send(server, bytes, static_cast<size_t>(got), MSG_NOSIGNAL) < 0) return;
      }
      if (ends[1].revents == 0) continue;
      const ssize_t got = ::read(server, bytes, sizeof bytes);
      if (got <= 0) return;
      const size_t size = std::min(static_cast<size_t>(got), after_ - sent);
      if (::send(client, bytes, size, MSG_NOSIGNAL) < 0) return;
      if ((sent += size) < after_) continue;
      ++cuts_;
      if (cut_ == Cut::kStall) {
        while (!stop_ && ::recv(client, bytes, sizeof bytes, MSG_DONTWAIT) != 0) ::poll(nullptr, 0, 20);
        return;
      }
      const linger now{1, 0};
      ::setsockopt(client, SOL_SOCKET, SO_LINGER, &now, sizeof now);
      return;
    }
  }

  int server_port_, listener_ = -1, port_ = 0;
  Cut cut_;
  size_t after_;
  std::atomic<bool> stop_ = false;
  std::atomic<int> cuts_ = 0;
  std::thread thread_;
};

}  // namespace xpu_align
