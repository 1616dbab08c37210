#pragma once

#include "coppice/search/search.h"

#include <cstddef>
#include <string>

namespace coppice::cli {

/// The best settings as a table, with median and range where they have several nets; not wider than 100 columns unless
/// there are many layers.
std::string search_table(const SearchResult& summary, std::size_t rows = 10);

}  // namespace coppice::cli
