#include "edge/git/subtransport.h"

#include <git2.h>
#include <git2/sys/errors.h>

#include <cstdint>
#include <new>

namespace xpu_align {
namespace {

constexpr std::string_view kAdvertisement = "/info/refs";

// libgit2 sees the first member; the rest is ours.
struct Subtransport {
  git_smart_subtransport base;
  FetchConnection* connection;
};
struct Stream {
  git_smart_subtransport_stream base;
  FetchConnection* connection;
  HttpStream http;
  size_t list_bytes_left;
};

int OnRead(git_smart_subtransport_stream* base, char* buffer, size_t size, size_t* got) {
  auto* stream = reinterpret_cast<Stream*>(base);
  Result<size_t> read = stream->http.Read({buffer, size});
  if (read && *read > stream->list_bytes_left)
    read = Fail(ErrorKind::kProtocol, "the server's list of references is longer than " +
                                        std::to_string(stream->connection->max_reference_list >> 20) + " MiB");
  *got = read.value_or(0);
  if (!read) {
    stream->connection->error = read.error();
    git_error_set_str(GIT_ERROR_NET, read.error().message.c_str());
    return -1;
  }
  stream->list_bytes_left -= *read;
  // Taken at the first bytes: libgit2 stops reading before the exchange is over.
  const std::string& url = stream->http.Url();
  if (const size_t end = url.find(kAdvertisement); end != std::string::npos)
    stream->connection->redirected = url.substr(0, end);
  return 0;
}

// Requests are small, so they are kept and sent with the first read.
int OnWrite(git_smart_subtransport_stream* base, const char* bytes, size_t size) {
  reinterpret_cast<Stream*>(base)->http.AppendBody({bytes, size});
  return 0;
}

void OnStreamFree(git_smart_subtransport_stream* base) { delete reinterpret_cast<Stream*>(base); }

int OnAction(git_smart_subtransport_stream** out, git_smart_subtransport* base, const char* url,
             git_smart_service_t action) {
  auto* self = reinterpret_cast<Subtransport*>(base);
  if (action != GIT_SERVICE_UPLOADPACK_LS && action != GIT_SERVICE_UPLOADPACK) {
    git_error_set_str(GIT_ERROR_NET, "this program only fetches");
    return -1;
  }
  FetchConnection& connection = *self->connection;
  std::string address = url;
  if (action == GIT_SERVICE_UPLOADPACK && !connection.redirected.empty()) address = connection.redirected;
  while (address.ends_with('/')) address.pop_back();
  HttpRequest request;
  if (connection.origin_url.empty()) connection.origin_url = address;
  if (!connection.token.Empty() && SameOrigin(address, connection.origin_url)) request.token = &connection.token;
  if (action == GIT_SERVICE_UPLOADPACK) {
    request.method = "POST";
    request.url = address + "/git-upload-pack";
    request.headers = {{"Content-Type", "application/x-git-upload-pack-request"},
                       {"Accept", "application/x-git-upload-pack-result"}};
  } else {
    request.url = address + std::string(kAdvertisement) + "?service=git-upload-pack";
  }
  const size_t limit = action == GIT_SERVICE_UPLOADPACK ? SIZE_MAX : connection.max_reference_list;
  auto* stream = new (std::nothrow)
      Stream{{base, OnRead, OnWrite, OnStreamFree}, &connection, {connection.session, std::move(request)}, limit};
  if (stream == nullptr) return -1;
  *out = &stream->base;
  return 0;
}

int OnClose(git_smart_subtransport* base) {
  reinterpret_cast<Subtransport*>(base)->connection->redirected.clear();
  return 0;
}

void OnFree(git_smart_subtransport* base) { delete reinterpret_cast<Subtransport*>(base); }

int MakeSubtransport(git_smart_subtransport** out, git_transport*, void* connection) {
  auto* made = new (std::nothrow) Subtransport{{OnAction, OnClose, OnFree}, static_cast<FetchConnection*>(connection)};
  if (made == nullptr) return -1;
  *out = &made->base;
  return 0;
}

}  // namespace

int MakeHttpTransport(git_transport** out, git_remote* owner, void* payload) {
  auto* connection = static_cast<FetchConnection*>(payload);
  connection->definition = {MakeSubtransport, 1 /* each request stands alone */, connection};
  return git_transport_smart(out, owner, &connection->definition);
}

}  // namespace xpu_align
