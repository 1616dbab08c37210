#include "coppice/ranks/messenger.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace coppice {

namespace {

std::optional<std::size_t> number_in(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits(text);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<Launch> launched() {
  // Open MPI's mpirun; MPICH's and Intel's; Slurm's srun, which tells PMIx the rank.
  struct Names {
    const char* rank;
    const char* size;
  };
  for (const Names& names : {Names{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                             Names{"PMI_RANK", "PMI_SIZE"}, Names{"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}}) {
    const auto rank = number_in(names.rank);
    const auto size = number_in(names.size);
    if (!rank || !size) continue;
    if (*size > 1 && *rank < *size) return Launch{.rank = *rank, .size = *size};
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace coppice
