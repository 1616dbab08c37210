#include "coppice/api/repeat.h"

#include "coppice/api/train.h"
#include "coppice/core/fail.h"

#include <fmt/format.h>

namespace coppice {

namespace {

/// What the net that was chosen came to; the best one, if none was.
Repetition outcome_of(const Summary& summary, std::uint64_t seed) {
  const NetResult& net = summary.nets[summary.chosen.value_or(summary.best)];
  return {.seed = seed,
          .parameters = net.parameters,
          .validation_error = net.validation_error,
          .test_error = net.test_error};
}

}  // namespace

std::vector<Repetition> repetitions(const Table& table, const Options& options, const Summary& first,
                                    Observer* observer, const std::function<bool()>& stop) {
  const std::size_t count = options.repeat.value_or(1);
  if (count < 2) return {};
  const std::uint64_t seed = options.seed.value_or(0);
  std::vector<Repetition> all{outcome_of(first, seed)};
  for (std::size_t k = 1; k < count; ++k) {
    Options other = options;
    other.repeat.reset();
    other.seed = seed + k * options.seeds.value_or(1);  // no net's seed comes twice
    if (observer != nullptr)
      observer->on_note(fmt::format("repetition {} of {}, with seed {}", k + 1, count, *other.seed));
    const Result result = train(table, other, nullptr, stop);
    if (result.stopped) fail_as(ErrorKind::interrupted, "repetition {} of {} was stopped", k + 1, count);
    all.push_back(outcome_of(result, *other.seed));
  }
  return all;
}

}  // namespace coppice
