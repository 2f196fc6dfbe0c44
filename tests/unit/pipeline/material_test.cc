#include "pipeline/material.h"

#include <gtest/gtest.h>

#include "digest/sha256.h"
#include "support/contract_example.h"
#include "support/memory_repository.h"
#include "support/memory_run_store.h"

namespace xpu_align {
namespace {

const std::string kSha(40, 'a');

Details Changing(const std::vector<std::string>& paths) {
  Details details{.id = *CandidateId::Parse("pr-7")};
  for (const std::string& path : paths) details.files.push_back({.path = UntrustedText(path), .status = "modified"});
  return details;
}

// "<file> <role> <path>" lines.
std::string Index(MemoryRunStore& store) {
  const auto bytes = store.Read("artifacts/material/pr-7/index.json");
  if (!bytes) return "none";
  const Json json = *ParseJson(*bytes);
  EXPECT_EQ(json.StringOr("schema"), "xpu-align/material@1");
  EXPECT_EQ(json.StringOr("sha"), kSha);
  std::string text;
  for (const Json& file : json.ArrayOf("files")) {
    text += file.StringOr("file") + " " + file.StringOr("role") + " " + file.StringOr("path") + "\n";
    const auto content = store.Read("artifacts/material/pr-7/" + file.StringOr("file"));
    EXPECT_EQ(Sha256Hex(content.value_or("absent")), file.StringOr("sha256"));
  }
  if (json.Has("left_out")) text += "left out " + std::to_string(json.IntOr("left_out")) + "\n";
  return text;
}

TEST(ExportMaterial, TestFilesAndTheModulesThatTheyImport) {
  MemoryRepository repository(kSha, {{"test/nn/test_foo.py", "import torch\nfrom foo_cases import x\nfrom .near import y\nimport root_cases\n"},
                                     {"test/nn/foo_cases.py", "import os\nimport deeper.inner\n"},
                                     {"test/nn/near.py", ""},
                                     {"test/nn/__init__.py", ""},
                                     {"test/root_cases.py", ""},
                                     {"test/deeper/inner.py", ""},
                                     {"test/unused.py", ""},
                                     {"torch/foo.py", ""}});
  MemoryRunStore store;
  ASSERT_TRUE(ExportMaterial(Changing({"torch/foo.py", "test/nn/test_foo.py"}), kSha, repository, store));
  EXPECT_EQ(Index(store),
            "0.py changed test/nn/test_foo.py\n1.py imported test/nn/__init__.py\n2.py imported test/nn/foo_cases.py\n"
            "3.py imported test/nn/near.py\n4.py imported test/root_cases.py\n5.py imported test/deeper/inner.py\n");
}

TEST(ExportMaterial, PathsThatLeadElsewhereAreNotTaken) {
  std::map<std::string, std::string> files;
  std::vector<std::string> paths;
  for (const char* path : {"../test_a.py", "test/../../test_b.py", "/test/test_c.py", "test/.git/test_d.py", "test/a b/test_e.py",
                           "test//test_f.py", "test/\x1b/test_g.py"}) {
    files.emplace(path, "x");
    paths.push_back(path);
  }
  MemoryRepository repository(kSha, files);
  MemoryRunStore store;
  ASSERT_TRUE(ExportMaterial(Changing(paths), kSha, repository, store));
  EXPECT_EQ(Index(store), "none");
  EXPECT_EQ(repository.reads, 0u);
}

TEST(ExportMaterial, IsBoundedInNumberAndBytes) {
  std::map<std::string, std::string> files{{"test/test_big.py", std::string((8u << 20) + 1, '#')}};
  std::vector<std::string> paths{"test/test_big.py", "test/test_absent.py"};
  for (int i = 0; i < 70; ++i) {
    files.emplace("test/test_" + std::to_string(i) + ".py", "");
    paths.push_back("test/test_" + std::to_string(i) + ".py");
  }
  MemoryRepository repository(kSha, files);
  MemoryRunStore store;
  ASSERT_TRUE(ExportMaterial(Changing(paths), kSha, repository, store));
  EXPECT_EQ(store.List("artifacts/material/pr-7").size(), 61u);  // and the index
  EXPECT_TRUE(Index(store).ends_with("left out 12\n"));
  EXPECT_EQ(ShapeOf(*ParseJson(*store.Read("artifacts/material/pr-7/index.json"))),
            ShapeOf(ContractExample("artifacts/material/\\<id\\>/index.json")));
}

}  // namespace
}  // namespace xpu_align
