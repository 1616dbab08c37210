#pragma once

#include "coppice/ranks/lead.h"
#include "coppice/run/directory.h"

#include <functional>
#include <string>

// train_in() and search_in() of coppice/run/directory.h by all ranks, of rank 0. One run after another.
namespace coppice {

Result train_in(Ranks& ranks, DataFrom from, const std::string& directory, const DataPaths& paths,
                Options options, Observer* observer, const std::function<bool()>& stop);

SearchResult search_in(Ranks& ranks, DataFrom from, const std::string& directory, const DataPaths& paths,
                       const SearchSpace& space, Options options, SearchObserver* observer,
                       const std::function<bool()>& stop);

}  // namespace coppice
