#pragma once

#include <optional>
#include <string>

namespace coppice {

/// Where data lies: one file, or an idx images file with its labels beside it.
struct Source {
  std::string path;
  std::string labels;  ///< empty when there are none, or when only the content can tell
};

/// What lies at `path`: a file, or a directory of the four MNIST files (then the training pair, or with `test_part` the
/// t10k pair). Fails if it cannot be read.
Source find_source(const std::string& path, bool test_part = false);

/// The labels beside a file of images, if they are there: x-images-idx3-ubyte.gz has x-labels-idx1-ubyte, packed or not.
std::string labels_beside(const std::string& images);

/// The test pair when `path` is a directory that holds one beside its training pair.
std::optional<Source> test_part_of(const std::string& path);

}  // namespace coppice
