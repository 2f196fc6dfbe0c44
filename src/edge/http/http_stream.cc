#include "edge/http/http_stream.h"

#include <algorithm>
#include <cstring>

#include "edge/http/curl_session.h"
#include "edge/http/header_lines.h"
#include "edge/http/url.h"

namespace xpu_align {
namespace {

constexpr size_t kHighWater = 1u << 20;
constexpr int kMaxRedirects = 5;
constexpr int kDrainRounds = 20;

Error StatusError(long status, const std::string& url) {
  const std::string message = OriginOf(url) + ": answers with status " + std::to_string(status);
  if (status == 404 || status == 410) return {ErrorKind::kNotFound, message};
  if (status == 401 || status == 403) return {ErrorKind::kAuth, message};
  return {status >= 500 ? ErrorKind::kNetwork : ErrorKind::kProtocol, message};
}

}  // namespace

bool SameOrigin(const std::string& a, const std::string& b) { return !OriginOf(a).empty() && OriginOf(a) == OriginOf(b); }

struct HttpStreamSession::Handles {
  HttpSettings settings;
  std::function<bool()> stop_requested;
  Easy easy = NewEasy();
  Multi multi{curl_multi_init()};
};

HttpStreamSession::HttpStreamSession(HttpSettings settings, std::function<bool()> stop_requested)
    : handles_(std::make_unique<Handles>(std::move(settings), std::move(stop_requested))) {}
HttpStreamSession::~HttpStreamSession() = default;

struct HttpStream::Transfer {
  HttpStreamSession::Handles& handles;
  HttpRequest request;
  std::string url;
  HeaderList headers;
  HttpResponse response;  // headers only
  std::string waiting;
  size_t taken = 0;
  bool attached = false, done = false, paused = false;
  int redirects = 0;
  char detail[CURL_ERROR_SIZE] = {};

  CURL* easy() const { return handles.easy.get(); }
  size_t Available() const { return waiting.size() - taken; }

  static size_t OnBody(char* bytes, size_t size, size_t count, void* user) {
    auto* self = static_cast<Transfer*>(user);
    if (self->Available() >= kHighWater) {
      self->paused = true;
      return CURL_WRITEFUNC_PAUSE;
    }
    self->waiting.erase(0, self->taken);
    self->taken = 0;
    self->waiting.append(bytes, size * count);
    return size * count;
  }

  static size_t OnHeader(char* bytes, size_t size, size_t count, void* user) {
    TakeHeaderLine({bytes, size * count}, &static_cast<Transfer*>(user)->response);
    return size * count;
  }

  Status Attach() {
    if (!handles.easy || !handles.multi) return Fail(ErrorKind::kNetwork, "libcurl could not be started");
    Prepare(easy(), handles.settings, url);
    headers.reset();
    for (const auto& [name, value] : request.headers) AppendHeader(&headers, name + ": " + value);
    if (request.method == "POST") {
      AppendHeader(&headers, "Expect:");
      curl_easy_setopt(easy(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
      curl_easy_setopt(easy(), CURLOPT_POSTFIELDS, request.body.data());
    }
    curl_easy_setopt(easy(), CURLOPT_HTTPHEADER, headers.get());
    if (request.token != nullptr && !request.token->Empty() && SameOrigin(url, request.url)) {
      curl_easy_setopt(easy(), CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
      curl_easy_setopt(easy(), CURLOPT_USERNAME, "x-access-token");
      curl_easy_setopt(easy(), CURLOPT_PASSWORD, request.token->ForPassword().c_str());
    }
    curl_easy_setopt(easy(), CURLOPT_ERRORBUFFER, detail);
    curl_easy_setopt(easy(), CURLOPT_WRITEFUNCTION, OnBody);
    curl_easy_setopt(easy(), CURLOPT_WRITEDATA, this);
    curl_easy_setopt(easy(), CURLOPT_HEADERFUNCTION, OnHeader);
    curl_easy_setopt(easy(), CURLOPT_HEADERDATA, this);
    if (curl_multi_add_handle(handles.multi.get(), easy()) != CURLM_OK)
      return Fail(ErrorKind::kNetwork, "libcurl refused a transfer");
    attached = true;
    done = paused = false;
    return {};
  }

  void Detach() {
    if (attached) curl_multi_remove_handle(handles.multi.get(), easy());
    attached = false;
  }

  void Resume() {
    if (!paused) return;
    paused = false;
    curl_easy_pause(easy(), CURLPAUSE_CONT);
  }

  // Moves the transfer on by what is ready; waits for at most `wait_millis`.
  Status Pump(int wait_millis) {
    int running = 0, left = 0;
    if (curl_multi_perform(handles.multi.get(), &running) != CURLM_OK)
      return Fail(ErrorKind::kNetwork, OriginOf(url) + ": the transfer broke off");
    while (const CURLMsg* message = curl_multi_info_read(handles.multi.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      done = true;
      if (message->data.result != CURLE_OK) return std::unexpected(TransferError(message->data.result, url, detail));
    }
    if (!done && Available() == 0) curl_multi_poll(handles.multi.get(), nullptr, 0, wait_millis, nullptr);
    return {};
  }

  // Runs until there are bytes or the end, with the status checked and redirects followed.
  Status Advance() {
    while (Available() == 0 && !done) {
      if (handles.stop_requested && handles.stop_requested())
        return Fail(ErrorKind::kCancelled, "stopped while waiting for " + OriginOf(url));
      Resume();
      TRY(Pump(200));
    }
    long status = 0;
    curl_easy_getinfo(easy(), CURLINFO_RESPONSE_CODE, &status);
    if (status == 200) return {};
    if (status < 300 || status >= 400 || request.method != "GET") return std::unexpected(StatusError(status, url));
    const auto next = ResolveRedirect(url, std::string(response.Header("location")));
    if (!next || !KeepsSecurity(url, *next) || ++redirects > kMaxRedirects)
      return Fail(ErrorKind::kProtocol, OriginOf(url) + ": redirects to an address that is not followed");
    Detach();
    url = *next;
    waiting.clear();
    taken = 0;
    TRY(Attach());
    return Advance();
  }
};

HttpStream::HttpStream(HttpStreamSession& session, HttpRequest request)
    : transfer_(std::make_unique<Transfer>(*session.handles_, std::move(request))) {
  transfer_->url = transfer_->request.url;
}

HttpStream::~HttpStream() {
  // Eats the last piece, which libgit2 leaves at the flush packet, so that the connection is kept.
  for (int round = 0; transfer_->attached && !transfer_->done && round < kDrainRounds; ++round) {
    transfer_->taken = transfer_->waiting.size();
    transfer_->Resume();
    if (!transfer_->Pump(10)) break;
  }
  transfer_->Detach();
}

void HttpStream::AppendBody(std::string_view bytes) { transfer_->request.body.append(bytes); }

Result<size_t> HttpStream::Read(std::span<char> out) {
  if (!transfer_->attached && !transfer_->done) TRY(transfer_->Attach());
  if (transfer_->Available() == 0) TRY(transfer_->Advance());
  const size_t size = std::min(out.size(), transfer_->Available());
  std::memcpy(out.data(), transfer_->waiting.data() + transfer_->taken, size);
  transfer_->taken += size;
  return size;
}

const std::string& HttpStream::Url() const { return transfer_->url; }

}  // namespace xpu_align
