// Exports what running an upstream test in its place needs: the changed test files of a candidate and the modules of
// the repository that they import, as they are at its commit. Regular files only, never links; bounded in number and
// bytes. Files are numbered, because no upstream text becomes a file name; index.json has their paths. Used by
// collect_details.cc.
#pragma once
#include "model/details.h"
#include "ports/repository_reader.h"
#include "ports/run_store.h"

namespace xpu_align {

// Writes artifacts/material/<id>/index.json and <number>.py; nothing when no test file can be read at `sha`.
Status ExportMaterial(const Details& details, const std::string& sha, RepositoryReader& repository, RunStore& store);

}  // namespace xpu_align
