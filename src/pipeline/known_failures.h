// What is known to fail on the device before anything runs: the skip lists of the repository with its kernels, the
// commit of it that the scanned trunk is pinned to, and its open trackers. Written to artifacts/known_failures.json. A
// part that can not be had is named in the file; it never makes a run partial. Called by src/app after collect.
#pragma once
#include <string>

#include "ports/github_source.h"
#include "ports/progress.h"
#include "ports/run_store.h"

namespace xpu_align {

struct KnownFailuresPorts {
  std::string repository;     // OWNER/NAME of the kernels: intel/torch-xpu-ops
  RepositoryReader& kernels;  // a clone of it
  RepositoryReader* scanned;  // whose third_party/xpu.txt names the pin; null: no pin
  GithubSource& issues;       // of the same repository; its requests are counted apart
  RunStore& store;
  Progress& progress;
};

// kCancelled, kAuth and kFileSystem; every other failure is data.
Status CollectKnownFailures(const KnownFailuresPorts& ports);

}  // namespace xpu_align
