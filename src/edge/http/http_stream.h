// HttpStream: an exchange whose answer is pulled piece by piece, for callers that can not be called back
// (libgit2 reads when it likes). At most about 1 MiB waits in memory. Used by edge/git only.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "edge/http/http_client.h"

namespace xpu_align {

// Keeps connections between the streams of one fetch. One thread; outlives its streams; one stream at a time.
class HttpStreamSession {
 public:
  // `stop_requested` is asked while waiting; true ends the stream with kCancelled.
  HttpStreamSession(HttpSettings settings, std::function<bool()> stop_requested);
  ~HttpStreamSession();

 private:
  friend class HttpStream;
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

// The scheme, host and port of two addresses are the same.
bool SameOrigin(const std::string& a, const std::string& b);

class HttpStream {
 public:
  // Nothing is sent before the first Read. A GET follows redirects as HttpTransport does, a POST none. The token
  // travels as git's tools send it (user x-access-token), and only to the origin of the request's address.
  // Answers other than 200 are errors: kNotFound (404, 410), kAuth (401, 403), kNetwork (5xx), kProtocol.
  HttpStream(HttpStreamSession& session, HttpRequest request);
  ~HttpStream();
  HttpStream(const HttpStream&) = delete;
  HttpStream& operator=(const HttpStream&) = delete;

  void AppendBody(std::string_view bytes);
  // Blocks until there is something; 0: the end.
  Result<size_t> Read(std::span<char> out);
  // The address that answers, after the first Read.
  const std::string& Url() const;

 private:
  struct Transfer;
  std::unique_ptr<Transfer> transfer_;
};

}  // namespace xpu_align
