#pragma once

#include "coppice/core/choices.h"
#include "coppice/core/file.h"
#include "coppice/training/epoch_report.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The journal of a run: what happened, one event per line (docs/run-directory.md). Only journal.cpp knows how a line is
// written. A number that is not finite, or that an older version did not write, is NaN.
namespace coppice {

namespace journal {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// A net is about to begin.
struct Start {
  std::size_t net = 0;
  std::size_t epoch = 0;  ///< 0, as it stands before the first
  double lambda = unknown;
  std::uint64_t seed = 0;
  std::vector<std::size_t> hidden_units = {};
  std::optional<Device> device = {};          ///< that it begins on
  std::optional<std::size_t> warm_from = {};  ///< the net whose end it begins as
  bool operator==(const Start&) const = default;
};

/// A net trained one epoch: EpochReport says what the numbers mean.
struct Epoch {
  std::size_t net = 0;
  std::size_t epoch = 0;  ///< counted from 1, never rewound
  Phase phase = Phase::grow;
  double train_loss = unknown;
  double validation_error = unknown;
  double criterion = unknown;                  ///< what the protocol goes by
  std::vector<std::size_t> hidden_units = {};  ///< before any rewind
  std::string step_name = "step";
  double step = unknown;
  double lambda = unknown;
  std::size_t steps = 0;
  // Of every layer, the output last, where fan-ins are turned (see LayerSteps); empty if all are zero.
  std::vector<double> mean_angle = {};
  std::vector<double> flips = {};  ///< as shares of steps of units
  std::vector<double> held = {};
  double seconds = unknown;  ///< that the run has trained by now, in all sittings
  std::optional<Phase> next_phase = {};
  double lowest = unknown;
  double waited = unknown;
  double patience = unknown;
  double to_go = unknown;
  bool operator==(const Epoch&) const = default;
};

/// A unit came or went. Layers count from 0 here, from 1 in the file.
struct UnitChange {
  bool born = true;  ///< false: it died
  std::size_t net = 0;
  std::size_t epoch = 0;
  std::size_t layer = 0;
  std::uint32_t unit = 0;
  bool operator==(const UnitChange&) const = default;
};

/// Lengths of a layer's units, in the same order.
struct Lengths {
  std::size_t net = 0;
  std::size_t epoch = 0;
  std::size_t layer = 0;
  std::vector<std::uint32_t> units = {};
  std::vector<double> fan_in = {};
  std::vector<double> fan_out = {};
  bool operator==(const Lengths&) const = default;
};

/// After `epoch` the state of `to_epoch` came back: the epochs between brought nothing.
struct Rewind {
  std::size_t net = 0;
  std::size_t epoch = 0;
  std::size_t to_epoch = 0;
  Phase phase = Phase::grow;  ///< that begins
  bool operator==(const Rewind&) const = default;
};

/// A net trains no more: `phase` is done, failed, or where a limit stopped it.
struct End {
  std::size_t net = 0;
  std::size_t epoch = 0;
  Phase phase = Phase::done;
  bool operator==(const End&) const = default;
};

using Event = std::variant<Start, Epoch, UnitChange, Lengths, Rewind, End>;

/// What a report on an epoch says, as events in their order.
std::vector<Event> events_of(const EpochReport& report, double seconds);

/// The event as a line, newline included.
std::string line_of(const Event& event);

/// Nothing if the line is no event: damaged, cut off by a crash, of another kind, or too large to be true.
std::optional<Event> event_in(std::string_view line);

/// Calls `use` with every event in the text and its line. Lines that are none are passed over; false if there are
/// only such lines.
bool read(std::string_view text, const std::function<void(const Event&, std::string_view)>& use);

}  // namespace journal

/// Appends what happens to a journal.
class Journal {
 public:
  /// `earlier`: seconds that the run took before, in other sittings.
  explicit Journal(const std::string& path, double earlier = 0) : file_(path), earlier_(earlier) {}
  void start(const journal::Start& start) const { file_.append(line_of(start)); }
  void epoch(const EpochReport& report) const;

 private:
  AppendedFile file_;
  double earlier_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Makes a journal end where the checkpoints do: drops events of net i after epoch last_epoch[i], and a
/// broken last line. Returns what stays.
struct JournalRest {
  double seconds = 0;       ///< that its epochs took
  std::size_t started = 0;  ///< nets whose beginning it tells
};
JournalRest truncate_journal(const std::string& path, const std::vector<std::size_t>& last_epoch);

}  // namespace coppice
