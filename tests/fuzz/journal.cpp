#include "coppice/run/journal.h"

#include "coppice/core/file.h"
#include "coppice/model/parse_json.h"
#include "coppice/run/search_summary.h"
#include "coppice/run/summary.h"

#include "tests/fuzz/check.h"
#include "tests/fuzz/targets.h"

#include <string>

namespace coppice::fuzz {

void journal(std::string_view bytes) {
  std::size_t events = 0;
  const bool again_too = checksum(bytes) % 4 == 0;  // that takes twice as long, and runs are many
  const bool any =
      coppice::journal::read(bytes, [&](const coppice::journal::Event& event, std::string_view line) {
        ++events;
        require(line.find('\n') == std::string_view::npos, "an event has a line of its own");
        if (!again_too) return;
        const std::string written = line_of(event);
        const auto again =
            coppice::journal::event_in(std::string_view(written).substr(0, written.size() - 1));
        require(again.has_value() && line_of(*again) == written,
                "an event that was read is written and read as the same");
      });
  require(any == (events > 0 || bytes.empty()), "it is told whether there are events");
}

void results(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const auto result = parse_trial(parse_json(bytes.substr(0, end)).value);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (!result) continue;
    const std::string written = trial_json(*result).dump();
    const auto again = parse_trial(parse_json(written).value);
    require(again.has_value() && trial_json(*again).dump() == written,
            "a result that was read is written and read as the same");
  }
}

void summary(std::string_view bytes) {
  const std::string name = "fuzz.json";
  Summary summary;
  if (!goes_through(name, [&] { summary = parse_summary(parse_json(bytes).value, name); })) return;
  const std::string written = summary_json(summary).dump();
  require(summary_json(parse_summary(parse_json(written).value, name)).dump() == written,
          "a summary that was read is written and read as the same");
}

}  // namespace coppice::fuzz
