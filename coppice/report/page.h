#pragma once

#include <string_view>

/// What every report carries with it. The build makes these texts of the files in coppice/report/page.
namespace coppice::page {

extern const std::string_view style;
extern const std::string_view script;
extern const std::string_view script_hash;  ///< SHA-256 in base64

}  // namespace coppice::page
