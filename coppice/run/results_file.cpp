#include "coppice/run/results_file.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/model/parse_json.h"
#include "coppice/run/search_summary.h"

#include <filesystem>
#include <map>
#include <string_view>

namespace coppice {

namespace {

constexpr const char* fingerprint_key = "settings";

/// The line's last entry: the checksum of all that stands before it.
std::string with_checksum(std::string object) {
  object.pop_back();  // the brace
  return fmt::format(R"({0},"checksum":"{1:08x}"}})", object, checksum(object));
}

/// Whether a line is as it was written. Those of earlier versions have no checksum.
bool is_whole(std::string_view line) {
  constexpr std::size_t length = std::string_view(R"(,"checksum":"00000000"})").size();
  const std::size_t end = line.size() - std::min(length, line.size());
  return !line.substr(end).starts_with(R"(,"checksum":)") ||
         line == with_checksum(std::string(line.substr(0, end)) + "}");
}

/// Whether it is the beginning of a line that a search writes.
bool begins_a_line(std::string_view text) {
  constexpr std::string_view beginning = R"({"hidden":)";
  return text.substr(0, beginning.size()) == beginning.substr(0, text.size());
}

}  // namespace

ResultsFile::ResultsFile(std::string path, std::uint32_t fingerprint)
    : path_(std::move(path)), fingerprint_(fmt::format("{:08x}", fingerprint)) {
  if (!std::filesystem::exists(path_)) return;
  std::string text = read_file(path_);
  // A loss of power may leave a file longer than what was written into it.
  const std::size_t last = text.find_last_not_of('\0');
  const std::size_t zeros = text.size() - (last == std::string::npos ? 0 : last + 1);
  text.resize(text.size() - zeros);
  const auto refuse = [&](std::size_t line) {
    fail_file("{}: line {} is not the result of a search; restore the file or begin a new search", path_,
              line);
  };
  std::size_t at = 0;
  for (std::size_t number = 1; at < text.size(); ++number) {
    const std::size_t end = text.find('\n', at);
    const std::string_view line = std::string_view(text).substr(at, end - at);
    if (end == std::string::npos) {
      if (!begins_a_line(line)) refuse(number);
      break;
    }
    const auto object = parse_json(line).value;
    std::optional<TrialResult> result = parse_trial(object);
    if (!result || !is_whole(line)) refuse(number);
    if (!object.contains(fingerprint_key) || object[fingerprint_key] != fingerprint_) {
      fail_file(
          "{}: belongs to a search on other data or with other settings; choose another directory, or the "
          "data and settings it was begun with",
          path_);
    }
    add(std::move(*result));
    at = end + 1;
  }
  if (at < text.size() || zeros > 0) write_own_file(path_, std::string_view(text).substr(0, at));
}

std::string ResultsFile::line_of(const TrialResult& result) const {
  nlohmann::ordered_json object = trial_json(result);
  object[fingerprint_key] = fingerprint_;
  return with_checksum(object.dump()) + "\n";
}

void ResultsFile::put_in_order(std::span<const TrialResult> first) const {
  std::map<Trial, const TrialResult*> others;
  for (const TrialResult& result : results()) others.try_emplace(result.trial, &result);
  std::string text;
  const auto put = [&](const TrialResult& result) { text += line_of(result); };
  for (const TrialResult& result : first) {
    if (others.erase(result.trial) > 0) put(result);
  }
  for (const auto& [trial, result] : others) put(*result);
  if (!text.empty() && text != read_file(path_)) write_own_file(path_, text);
}

void ResultsFile::append(TrialResult result) {
  const AppendedFile file(path_);
  file.append(line_of(result));
  file.flush();  // a trial may have taken hours
  add(std::move(result));
}

}  // namespace coppice
