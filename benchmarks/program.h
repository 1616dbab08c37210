#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace coppice {

/// Flags of a benchmark with their values.
using Flags = std::map<std::string, std::string>;

/// The value of a flag, a whole number of at least 1; `otherwise` if it is not given.
std::size_t count_of(const Flags& flags, const std::string& name, std::size_t otherwise);

/// A benchmark's main: reads "--flag value" pairs, answers --help, turns errors into a sentence and status 1.
int run_program(int argc, char** argv, const std::string& usage, const std::vector<std::string>& known,
                const std::function<void(const Flags&)>& body);

}  // namespace coppice
