#include "distill/scope.h"

#include <gtest/gtest.h>

#include <set>

#include "rules/embedded.h"

namespace xpu_align::distill {
namespace {

Scope Shipped(const std::string& name) {
  const ParsedScope parsed = ParseScope(rules::Embedded("rules/distill/" + name + ".json"));
  for (const Finding& finding : parsed.findings) ADD_FAILURE() << FindingLine(finding);
  return parsed.scope.value_or(Scope{});
}

TEST(ShippedScopeTest, TheTaskAtItsPins) {
  const Scope scope = Shipped("inference-control-plane");
  ASSERT_TRUE(scope.Repository("pytorch") && scope.Repository("torch_npu"));
  EXPECT_EQ(scope.Repository("pytorch")->pin, "31a77fc9c0a7c6fff15a1ff58c743f53b1a9d457");
  EXPECT_EQ(scope.Repository("torch_npu")->pin, "54e365d3e3614299bccd17f06916544c3880c9fc");
  std::set<std::string> areas;
  for (const ScopeArea& area : scope.areas) areas.insert(area.id);
  EXPECT_EQ(areas,
            (std::set<std::string>{"dispatcher", "sdpa", "allocator-config", "profiler", "aotinductor",
                                   "npu-graph-capture", "privateuse1", "streams", "hccl-control", "compile-hooks"}));
  std::set<std::string> owners, reasons;
  for (const ScopeOwner& owner : scope.owners) owners.insert(owner.pin);
  for (const Exclusion& exclusion : scope.exclusions) reasons.insert(exclusion.reason);
  EXPECT_TRUE(owners.contains("67511c53"));
  EXPECT_EQ(scope.owners.size(), 4u);
  EXPECT_EQ(reasons,
            (std::set<std::string>{"c10d", "Inductor codegen", "ACL runtime", "HCCL transport", "kernel sources"}));
}

TEST(ShippedScopeTest, NoPatternNamesWhatIsExcludedOrOwned) {
  for (const char* name : {"inference-control-plane", "xpu"}) {
    const Scope scope = Shipped(name);
    EXPECT_EQ(scope.areas.size(), 10u);
    for (const ScopeArea& area : scope.areas)
      for (const ScopeRead& read : area.reads)
        for (const PathGlob& include : read.include) {
          for (const Exclusion& exclusion : scope.exclusions)
            for (const PathGlob& path : exclusion.paths)
              EXPECT_FALSE((exclusion.repo.empty() || exclusion.repo == read.repo) && path.Matches(include.Text()))
                  << include.Text();
          for (const ScopeOwner& owner : scope.owners)
            for (const PathGlob& path : owner.paths)
              EXPECT_FALSE(owner.repo == read.repo && path.Matches(include.Text())) << include.Text();
        }
  }
}

TEST(ScopeTest, EachFaultNamesItsPlace) {
  struct Case {
    const char *text, *place;
  };
  for (const Case& one : std::vector<Case>{
           {"[]", "scope"},
           {"{", "scope"},
           {R"({"schema":"distill/scope@2"})", "scope.schema"},
           {R"({"schema":"distill/scope@1","repos":[{"id":"A"}]})", "scope.repos[0].id"},
           {R"({"schema":"distill/scope@1","policy":{"measurements":"allow"}})", "scope.policy.measurements"}}) {
    const ParsedScope parsed = ParseScope(one.text);
    EXPECT_FALSE(parsed.scope) << one.text;
    std::set<std::string> places;
    for (const Finding& finding : parsed.findings) places.insert(finding.where);
    EXPECT_TRUE(places.contains(one.place)) << one.text;
  }
}

TEST(ChecksTest, TheTableIsComplete) {
  int last = 100;
  for (const CheckDescription& check : Checks()) {
    EXPECT_GT(static_cast<int>(check.check), last);
    last = static_cast<int>(check.check);
    EXPECT_FALSE(check.holds.empty() || check.remedy.empty());
  }
  EXPECT_EQ(Checks().size(), 29u);
  EXPECT_EQ(CheckName(Checks().front().check), "D101");
  EXPECT_EQ(CheckName(Checks().back().check), "D602");
}

}  // namespace
}  // namespace xpu_align::distill
