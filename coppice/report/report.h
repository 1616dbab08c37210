#pragma once

#include "coppice/report/record.h"

#include <string>

namespace coppice {

/// The report as one HTML page that needs nothing else. The same run gives the same bytes.
std::string report_html(const RunRecord& run);

/// Writes report.html into the run directory, from config.json, summary.json, journal.jsonl and analysis.json alone;
/// returns its path.
std::string write_report(const std::string& directory);

}  // namespace coppice
