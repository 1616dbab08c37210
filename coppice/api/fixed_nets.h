#pragma once

#include "coppice/api/options.h"
#include "coppice/api/plan.h"
#include "coppice/api/prepare.h"
#include "coppice/device/threads.h"
#include "coppice/training/options.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

// Nets of fixed size that fill a budget: what budget_plan.h plans, made real.
namespace coppice {

/// How a net of this size is trained where the options are for nets that find theirs.
TrainingOptions fixed_options(TrainingOptions options, const HiddenUnits& hidden);

/// The data as a net that sees only these columns knows it.
PreparedData keep_columns(const PreparedData& data, const Columns& columns);

/// Parameters and, if they are wanted, bytes of a net of this size.
Candidate size_of(const PreparedData& data, const TrainingOptions& options, const Columns& columns,
                  const HiddenUnits& hidden, std::optional<BytesFor> bytes);

/// Bytes of the model that a network makes, up to the digits of its results.
std::size_t model_size(const Encoding& encoding, const Network<float>& network, BytesFor bytes);

/// Of a model, as a file or as a header. Fails where it has too many inputs for a header.
std::size_t bytes_of(const Model& model, BytesFor bytes);

/// What is counted in bytes, if anything is.
std::optional<BytesFor> counted_bytes(const Options& options);

/// The columns that a net sees, which are all there are or `columns`, by how far they reach into it for each input that
/// they cost. `data` is what it was trained on.
Columns rank_columns(const Trainer& trainer, const NetState& state, const PreparedData& data,
                     std::uint64_t seed, const Columns& columns);

/// All columns by the share of an input's variance, on average, that the target explains in the rows of that seed.
Columns telling_columns(const PreparedData& data, std::uint64_t seed);

/// How many inputs are made of each column of the user's table.
std::vector<std::size_t> column_widths(const PreparedData& data);

}  // namespace coppice
