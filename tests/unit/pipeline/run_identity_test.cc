#include "pipeline/run_identity.h"

#include <gtest/gtest.h>

#include "support/memory_run_store.h"

namespace xpu_align {
namespace {

ClaimedRun NewRun() {
  return {.identity = {.repository = "pytorch/pytorch",
                       .window = "2026-11-28-to-2026-11-28",
                       .events = "created",
                       .target = "xpu",
                       .rules_sha256 = "r"}};
}

TEST(RunIdentityTest, SameIdentityResumes) {
  MemoryRunStore store;
  ASSERT_TRUE(ClaimRun(store, NewRun()));
  EXPECT_TRUE(ClaimRun(store, NewRun()));
  EXPECT_EQ((*ReadClaim(store))->identity, NewRun().identity);
}

TEST(RunIdentityTest, EachDifferentMemberIsRefusedAndNamed) {
  const auto refused = [](auto change, const char* name) {
    MemoryRunStore store;
    ASSERT_TRUE(ClaimRun(store, NewRun()));
    ClaimedRun other = NewRun();
    change(other.identity);
    const Status status = ClaimRun(store, other);
    ASSERT_FALSE(status) << name;
    EXPECT_EQ(status.error().kind, ErrorKind::kConfig);
    EXPECT_NE(status.error().message.find(name), std::string::npos) << status.error().message;
  };
  refused([](RunIdentity& i) { i.repository = "a/b"; }, "repository");
  refused([](RunIdentity& i) { i.window = "w"; }, "window");
  refused([](RunIdentity& i) { i.events = "updated"; }, "events");
  refused([](RunIdentity& i) { i.target = "cpu"; }, "target");
  refused([](RunIdentity& i) { i.rules_sha256 = "other"; }, "rules_sha256");
}

TEST(RunIdentityTest, BuildIsComparedFromTheMomentItIsKnown) {
  MemoryRunStore store;
  ASSERT_TRUE(ClaimRun(store, NewRun()));
  ClaimedRun built = NewRun();
  built.identity.torch_version = "2.14.1";
  built.identity.build = "unknown";
  ASSERT_TRUE(ClaimRun(store, built));
  EXPECT_TRUE(ClaimRun(store, NewRun())) << "a stage before preflight does not know the build";
  built.identity.torch_version = "2.15.0";
  EXPECT_FALSE(ClaimRun(store, built));
}

TEST(RunIdentityTest, RecordingAndWorldDoNotMixInADirectory) {
  for (const auto& [first, second, name] : {std::tuple(RunSource::kLive, RunSource::kReplayed, "'live'"),
                                            std::tuple(RunSource::kReplayed, RunSource::kLive, "'replayed'")}) {
    MemoryRunStore store;
    EXPECT_TRUE(CheckSource(store, first)) << "a new directory takes either";
    ClaimedRun run = NewRun();
    run.source = first;
    ASSERT_TRUE(ClaimRun(store, run));
    EXPECT_EQ((*ReadClaim(store))->source, first);
    EXPECT_TRUE(CheckSource(store, first));
    const Status mixed = CheckSource(store, second);
    ASSERT_FALSE(mixed);
    EXPECT_EQ(mixed.error().kind, ErrorKind::kConfig);
    EXPECT_NE(mixed.error().message.find(name), std::string::npos) << mixed.error().message;
  }
}

TEST(RunIdentityTest, DamagedManifestIsNamed) {
  MemoryRunStore store;
  ASSERT_TRUE(store.Write(paths::kManifest, "{"));
  const Status status = ClaimRun(store, NewRun());
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("manifest.json"), std::string::npos);
}

}  // namespace
}  // namespace xpu_align
