#pragma once

#include "experiments/page.h"

#include <string>
#include <string_view>
#include <vector>

// What an entry left behind, from which its page can be written again without training anything.
namespace coppice::experiments {

struct StoredEntry {
  Rows rows = {};  ///< of NAME.csv
  std::vector<Provenance> provenances = {};
  std::vector<DataFiles> data = {};
  std::vector<std::string> before = {};
  std::string version = {};

  /// The cell of that row under that name; fails if there is no such column.
  const std::string& cell(std::size_t row, std::string_view name) const;
  /// The same as a number; NaN if it is empty.
  double number(std::size_t row, std::string_view name) const;
  std::size_t whole(std::size_t row, std::string_view name) const;
  /// "64-11".
  std::vector<std::size_t> units(std::size_t row) const;
  /// How the run of that name came to be; fails if it is not told.
  const Provenance& provenance(std::string_view run) const;
  const DataFiles& data_of(std::string_view set) const;
};

/// NAME.made.json: the call, the runs and the data that a page tells of.
std::string made_text(const Session& session, const EntryPage& page);

/// Reads NAME.csv and NAME.made.json of the output folder; the session gets the scale, counts and device of the call
/// that wrote them. MissingData if they are not there.
StoredEntry read_stored(Session& session, const std::string& name);

}  // namespace coppice::experiments
