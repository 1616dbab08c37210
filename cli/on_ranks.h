#pragma once

#include "coppice/ranks/lead.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace coppice::cli {

/// What `command` returns. Where a launcher (mpirun) started several processes it is called on rank 0 alone, which speaks for
/// all, and the others serve it; else without ranks.
int on_ranks(std::string_view program, std::vector<std::string> arguments,
             const std::function<int(Ranks*)>& command);

/// --data-from, and what its text means.
void add_data_from(CLI::App& command, std::string& text);
DataFrom data_from(const std::string& text);

}  // namespace coppice::cli
