#pragma once

#include <string_view>

/// What every report carries with it. The build makes these texts of the files in coppice/report/page and of the
/// packaged chart library.
namespace coppice::page {

extern const std::string_view style;
extern const std::string_view script;
extern const std::string_view chart_library;

}  // namespace coppice::page
