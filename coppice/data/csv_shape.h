#pragma once

#include <string>

namespace coppice {

/// What the first lines of a delimited text file tell about it.
struct CsvShape {
  char delimiter = ',';
  bool header = true;
};

/// Finds delimiter and header from the first records. The delimiter is the one of , ; tab | that cuts them
/// into the same number of fields (the most, if several do); blanks are tried only if none of these does.
CsvShape find_shape(const std::string& path);

}  // namespace coppice
