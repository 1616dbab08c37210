#include "benchmarks/program.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>

#include <fmt/format.h>

namespace coppice {

namespace {

Flags read_flags(const std::vector<std::string>& arguments, const std::vector<std::string>& known) {
  Flags flags;
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    if (std::ranges::count(known, arguments[i]) == 0)
      fail("{} is unknown; --help says what is known", arguments[i]);
    if (i + 1 == arguments.size()) fail("{} needs a value", arguments[i]);
    flags[arguments[i]] = arguments[i + 1];
  }
  return flags;
}

}  // namespace

std::size_t count_of(const Flags& flags, const std::string& name, std::size_t otherwise) {
  const auto found = flags.find(name);
  if (found == flags.end()) return otherwise;
  const std::optional<double> value = parse_number(found->second);
  if (!value || !(*value >= 1 && *value <= 1e6) || *value != std::floor(*value)) {
    fail("{} {}: must be a whole number from 1 to 1000000", name, found->second);
  }
  return static_cast<std::size_t>(*value);
}

int run_program(int argc, char** argv, const std::string& usage, const std::vector<std::string>& known,
                const std::function<void(const Flags&)>& body) {
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (std::ranges::count(arguments, "--help") > 0) {
      fmt::print("{}", usage);
    } else {
      body(read_flags(arguments, known));
    }
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 1;
  }
}

}  // namespace coppice
