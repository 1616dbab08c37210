#pragma once

#include "coppice/api/options.h"
#include "coppice/api/result.h"

#include <functional>
#include <vector>

namespace coppice {

/// A training repeated as often as the options say, each time with other seeds and, where shares of the rows are held out,
/// with other rows: `first` is the training that was, and the first entry. Each repetition is noted to the observer, if there is one. An
/// Error of the kind `interrupted` if `stop` ends one; none at all if the options ask for no repetition.
std::vector<Repetition> repetitions(const Table& table, const Options& options, const Summary& first,
                                    Observer* observer, const std::function<bool()>& stop);

}  // namespace coppice
