// What can go wrong with one request to GitHub, as a table, and a transport that makes it go wrong at a chosen
// request. Used by fault_matrix_contract.cc.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "json/json.h"
#include "ports/clock.h"
#include "ports/http.h"

namespace xpu_align {

enum class Asked { kEverything, kRest, kGraphql };

struct Fault {
  const char* name;
  Asked hits;
  // What comes instead of the true answer.
  std::function<Result<HttpResponse>(HttpResponse truth, int64_t now)> instead;
  // GitHub's word that an item is refused for good: that item may be blocked, and nothing else.
  bool refuses_for_good = false;
};

const std::vector<Fault>& Faults();

enum class Lasts { kOnce, kFromHere };

// Asks a real server once for each different request and remembers the answer.
class AnswerMemory : public HttpTransport {
 public:
  explicit AnswerMemory(HttpTransport& server) : server_(server) {}
  Result<HttpResponse> Send(const HttpRequest& request) override;

 private:
  HttpTransport& server_;
  std::map<std::string, HttpResponse> answers_;
};

class FaultyTransport : public HttpTransport {
 public:
  FaultyTransport(HttpTransport& truth, Clock& clock) : truth_(truth), clock_(clock) {}
  void Break(size_t at, const Fault& fault, Lasts lasts) { at_ = at, fault_ = &fault, lasts_ = lasts; }
  Result<HttpResponse> Send(const HttpRequest& request) override;

  std::vector<std::string> lines;  // "GET /path?query" of every request
  size_t spoilt = 0;               // answers that the fault took

 private:
  HttpTransport& truth_;
  Clock& clock_;
  size_t at_ = 0;
  const Fault* fault_ = nullptr;
  Lasts lasts_ = Lasts::kOnce;
};

inline bool Hits(const Fault& fault, const std::string& line) {
  return fault.hits == Asked::kEverything || (fault.hits == Asked::kGraphql) == line.starts_with("POST");
}

}  // namespace xpu_align
