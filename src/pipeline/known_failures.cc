#include "pipeline/known_failures.h"

#include "compose/skip_lists.h"
#include "model/schema.h"
#include "pipeline/collect_sources.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

constexpr const char* kPinFile = "third_party/xpu.txt";
constexpr const char* kListFolders[] = {"test/xpu", "test/xpu/extended"};
constexpr const char* kTrackerLabel = "skipped";  // the repository's own: its tests read these issues and skip
constexpr size_t kMaxCases = 500;                 // of one tracker

// "op_ut,module.path.TestClass,test_name" lines of a tracker; one that is struck through (~~) is done.
Json CasesIn(const UntrustedText& body) {
  static const Pattern line = Pattern::Constant(R"((?m)^[ \t]*([a-z]\w*),([\w./-]*?)\.?(\w+),([^\s,~]+)[ \t\r]*$)");
  Json cases = Json::EmptyArray();
  for (const PatternMatch& match : line.FindAll(body.ForMatching())) {
    if (cases.AsArray()->size() == kMaxCases) break;
    const auto part = [&](size_t group) { return UntrustedText(std::string(match.groups[group])).ForJson(); };
    cases.Append(Json().Set("suite", part(1)).SetIfAny("module", part(2)).Set("class", part(3)).Set("test", part(4)));
  }
  return cases;
}

class KnownFailures {
 public:
  explicit KnownFailures(const KnownFailuresPorts& ports) : ports_(ports) {}

  Status Write() {
    json_.Set("schema", SchemaOf("known-failures")).Set("repository", ports_.repository);
    AddPin();
    TRY(Part("skip lists", AddSkips()));
    TRY(Part("trackers", AddTrackers()));
    const RequestCosts costs = ports_.issues.Costs();
    json_.Set("requests", Json().Set("core", costs.core).Set("search", costs.search).Set("graphql", costs.graphql));
    json_.SetIfAny("incomplete", incomplete_);
    return ports_.store.Write(paths::kKnownFailures, WriteJson(json_));
  }

 private:
  Status Part(const std::string& name, const Status& done) {
    if (done) return {};
    if (EndsTheStage(done.error())) return done;
    AddIncomplete(name + ": " + done.error().message);
    return {};
  }

  void AddIncomplete(const std::string& why) {
    incomplete_.push_back(why);
    ports_.progress.Warn("known failures of " + ports_.repository + ", " + why);
  }

  void AddPin() {
    if (ports_.scanned == nullptr) return;
    const auto trunk = ports_.scanned->TrunkSha();
    const auto text = trunk ? ports_.scanned->FileAt(*trunk, UntrustedText(kPinFile)) : std::unexpected(trunk.error());
    static const Pattern sha = Pattern::Constant(R"(^\s*([0-9a-f]{40})\s*$)");
    const auto match = text ? sha.Find(text->ForMatching()) : std::nullopt;
    if (!match) return AddIncomplete(std::string("pin: ") + kPinFile + " names no commit");
    pin_ = match->groups[1];
    json_.Set("pin", Json().Set("file", kPinFile).Set("at", *trunk).Set("commit", pin_));
  }

  Status AddSkips() {
    TRY(ports_.kernels.Update({}));
    TRY_ASSIGN(const std::string trunk, ports_.kernels.TrunkSha());
    json_.Set("commit", trunk);
    if (!pin_.empty()) {
      const Answer answer = ports_.kernels.IsAncestor(pin_, trunk);
      json_.Set("pin_is_in_trunk", answer == Answer::kYes ? "yes" : answer == Answer::kNo ? "no" : "unknown");
    }
    Json skips = Json::EmptyArray();
    for (const char* folder : kListFolders) {
      const auto names = ports_.kernels.FilesIn(trunk, UntrustedText(folder));
      if (!names && names.error().kind == ErrorKind::kNotFound) continue;
      if (!names) return std::unexpected(names.error());
      for (const UntrustedText& name : *names) {
        if (!IsSkipList(name)) continue;
        const std::string path = std::string(folder) + "/" + std::string(name.ForMatching());
        TRY_ASSIGN(const UntrustedText text, ports_.kernels.FileAt(trunk, UntrustedText(path)));
        for (const SkippedTest& test : SkippedTestsIn(text, ports_.repository))
          skips.Append(Json()
                           .Set("list", path)
                           .Set("line", test.line)
                           .Set("file", test.file.ForJson())
                           .Set("test", test.test.ForJson())
                           .SetIfAny("trackers", test.trackers));
      }
    }
    if (skips.AsArray()->empty()) AddIncomplete("skip lists: none found in " + std::string(kListFolders[0]));
    json_.Set("skips", skips);
    return {};
  }

  Status AddTrackers() {
    TRY_ASSIGN(const Listing listing, ports_.issues.ListOpen(kTrackerLabel));
    if (!listing.incomplete_because.empty()) AddIncomplete("trackers: " + listing.incomplete_because);
    Json trackers = Json::EmptyArray();
    for (const ListedItem& item : listing.items) {
      if (item.candidate.kind() != Kind::kIssue) continue;
      trackers.Append(Json()
                          .Set("number", item.candidate.number)
                          .Set("title", item.candidate.title.ForJson())
                          .Set("url", "https://github.com/" + ports_.repository + "/issues/" +
                                          std::to_string(item.candidate.number))
                          .Set("updated_at", item.candidate.updated_at)
                          .SetIfAny("labels", item.candidate.labels)
                          .SetIfAny("cases", CasesIn(item.body)));
    }
    json_.Set("trackers", trackers);
    return {};
  }

  const KnownFailuresPorts& ports_;
  Json json_ = Json::EmptyObject();
  std::string pin_;
  std::vector<std::string> incomplete_;
};

}  // namespace

Status CollectKnownFailures(const KnownFailuresPorts& ports) { return KnownFailures(ports).Write(); }

}  // namespace xpu_align
