// libgit2's smart protocol over our HTTP streams, so that there is one TLS stack, one proxy and one
// certificate policy. Given to each fetch as its transport; nothing is registered globally, and libgit2's own HTTP
// client is never used. Refuses a list of references that is too long. Used by fetch.cc.
#pragma once
#include <git2/sys/transport.h>

#include <optional>
#include <string>

#include "edge/http/http_stream.h"

namespace xpu_align {

// One fetch: its connection, and the first error of ours, which libgit2 would only carry as a string.
struct FetchConnection {
  HttpStreamSession session;
  const BearerToken& token;  // of the origin that the first request goes to; empty: none
  size_t max_reference_list;  // bytes
  std::string origin_url = {};
  std::optional<Error> error = {};
  std::string redirected = {};  // the repository's address after redirects of the first request
  git_smart_subtransport_definition definition{};
};

// For git_remote_callbacks.transport, with a FetchConnection as payload.
int MakeHttpTransport(git_transport** out, git_remote* owner, void* fetch_connection);

}  // namespace xpu_align
