#include "cli/own_files.h"

#include "coppice/core/fail.h"
#include "coppice/run/layout.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace coppice::cli {

namespace {

namespace fs = std::filesystem;

bool holds_run(const fs::path& directory) {
  std::error_code error;
  return fs::exists(directory / layout::config, error) || fs::exists(directory / layout::search, error);
}

}  // namespace

void check_not_own_file(const std::string& out) {
  constexpr std::array<std::string_view, 7> names{layout::config,  layout::search,  layout::summary,
                                                  layout::journal, layout::results, layout::analysis,
                                                  layout::report};
  std::error_code error;
  const fs::path file = fs::weakly_canonical(out, error);  // wherever links lead to
  if (error) return;                                       // writing will say why
  const fs::path directory = file.parent_path();
  const bool own = std::ranges::find(names, file.filename().string()) != names.end() ||
                   file.extension() == layout::model_ending;
  const bool checkpoint = directory.filename() == layout::checkpoints && holds_run(directory.parent_path());
  if ((own && holds_run(directory)) || checkpoint)
    fail("-o {}: is a file that a run or a search keeps for itself; choose another name", out);
}

}  // namespace coppice::cli
