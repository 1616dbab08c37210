#pragma once

#include "coppice/core/error.h"
#include "coppice/run/directory.h"

#include "experiments/session.h"

#include <string>
#include <utility>
#include <vector>

namespace coppice::experiments {

/// A data set that cannot be generated is not there; the message says where to put it.
class MissingData : public Error {
 public:
  using Error::Error;
};

/// Flags of `train` with their values.
using Flags = std::vector<std::pair<std::string, std::string>>;

/// One list after the other.
template <class T>
std::vector<T> operator+(std::vector<T> a, const std::vector<T>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// A data set of the paper as `train` takes it.
struct DataFiles {
  std::string name;  ///< "mnist"
  std::string train = {};
  std::string validation = {};            ///< a file, a fraction, or empty: a sixth
  std::string test = {};                  ///< a file; empty: beside the training rows
  std::string origin = {};                ///< where it came from, as Markdown
  std::vector<std::string> made_by = {};  ///< commands that make the files
  bool stand_in = false;                  ///< generated in place of the published set

  /// What tells `train` about validation and test rows.
  Flags flags() const;
  DataPaths paths() const;  ///< without a fraction
  bool validation_is_file() const;
};

DataFiles find_mnist(const Session& session);
/// The published files if the data folder has them, else generated ones.
DataFiles find_convex(const Session& session);
DataFiles find_rectangles(const Session& session);
DataFiles find_poker(const Session& session);
/// A table of `coppice generate`: twonorm, ringnorm, waveform, xor, spirals or parity.
DataFiles find_generated(const Session& session, const std::string& kind);

/// The first `count` items of an idx file (all if it has fewer) as an idx file; packed files are unpacked.
std::string first_items(const std::string& path, std::size_t count);

}  // namespace coppice::experiments
