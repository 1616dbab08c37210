#include "experiments/page.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"

#include "experiments/entries.h"
#include "experiments/picture.h"
#include "experiments/stored.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace coppice::experiments {

namespace {

namespace fs = std::filesystem;

std::string in(const std::string& folder, const std::string& name) {
  return (fs::path(folder) / name).string();
}

std::string csv_cell(const std::string& cell) {
  if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string table_cell(const std::string& cell) {
  std::string safe;
  for (const char c : cell) safe += c == '|' ? "\\|" : c == '\n' ? " " : std::string(1, c);
  return safe;
}

/// "2 hold, 1 does not, 1 is undecided".
std::string counted(const std::vector<const Claim*>& claims) {
  const auto count = [&](Verdict verdict) {
    return std::ranges::count_if(claims,
                                 [&](const Claim* claim) { return claim->judged.verdict == verdict; });
  };
  std::vector<std::string> parts;
  if (const auto n = count(Verdict::holds))
    parts.push_back(fmt::format("{} {}", n, n > 1 ? "hold" : "holds"));
  if (const auto n = count(Verdict::fails))
    parts.push_back(fmt::format("{} {} not", n, n > 1 ? "do" : "does"));
  if (const auto n = count(Verdict::undecided))
    parts.push_back(fmt::format("{} {} undecided", n, n > 1 ? "are" : "is"));
  return joined(parts, ", ");
}

/// The paper's claims and ours are counted apart: "Of the paper's 3 claims 2 hold, 1 is undecided; of our 1: 1 holds".
std::string verdict(const EntryPage& page) {
  std::vector<const Claim*> paper;
  std::vector<const Claim*> ours;
  for (const Claim& claim : page.claims) (claim.ours ? ours : paper).push_back(&claim);
  std::vector<std::string> parts;
  if (!paper.empty()) parts.push_back(fmt::format("the paper's {}: {}", paper.size(), counted(paper)));
  if (!ours.empty()) parts.push_back(fmt::format("our own {}: {}", ours.size(), counted(ours)));
  return parts.empty() ? "Nothing is claimed" : fmt::format("Claims: {}", joined(parts, "; "));
}

std::string claims_table(const EntryPage& page) {
  Rows rows{{"claim", "measured here", "test", "verdict"}};
  for (const Claim& claim : page.claims) {
    const std::string word = word_of(claim.judged.verdict);
    rows.push_back({(claim.ours ? "ours: " : "") + claim.text, claim.measured, claim.judged.test,
                    claim.judged.verdict == Verdict::fails ? fmt::format("**{}**", word) : word});
  }
  return markdown_table(rows) + fmt::format(
                                    "\nA claim holds, or does not, where its test says so at the level of "
                                    "{:g}; else it is undecided.\n",
                                    significance_level);
}

std::string provenance_table(const EntryPage& page) {
  Rows rows{{"run", "command", "seeds", "device", "products", "seconds"}};
  for (const Provenance& one : page.provenances) {
    rows.push_back({one.name, fmt::format("`{}`", one.command), one.seeds, one.device, one.precision,
                    one.seconds > 0 ? fmt::format("{:.1f}", one.seconds) : "-"});
  }
  return markdown_table(rows);
}

std::string data_list(const EntryPage& page) {
  std::string text;
  for (const DataFiles& data : page.data) {
    text += fmt::format("- {}", data.origin);
    if (!data.made_by.empty()) {
      std::vector<std::string> commands;
      for (const std::string& command : data.made_by) commands.push_back(fmt::format("`{}`", command));
      text += fmt::format(" ({})", joined(commands, ", "));
    }
    text += '\n';
  }
  return text;
}

/// The call, after those that the page keeps sets from.
std::string calls_text(const EntryPage& page, const Session& session) {
  std::vector<std::string> calls;
  for (const std::string& call : page.before) calls.push_back(fmt::format("`{}`", call));
  calls.push_back(fmt::format("`{}`", session.command(page.name)));
  return joined(calls, ", then ");
}

/// The first lines of a page that are its title and its verdict.
std::pair<std::string, std::string> headline(const std::string& markdown) {
  const std::size_t title_end = markdown.find('\n');
  const std::size_t verdict_at = markdown.find_first_not_of('\n', title_end);
  const std::size_t verdict_end = markdown.find('\n', verdict_at);
  return {markdown.substr(2, title_end - 2), markdown.substr(verdict_at, verdict_end - verdict_at)};
}

void write_index(const std::string& out) {
  Rows rows{{"", "what", "outcome"}};
  for (const Entry& entry : all_entries()) {
    const std::string path = in(out, fmt::format("{}.md", entry.name));
    if (!fs::exists(path)) continue;
    const auto [title, outcome] = headline(read_file(path));
    rows.push_back({fmt::format("[{0}]({0}.md)", entry.name), title, outcome});
  }
  write_file(
      in(out, "README.md"),
      fmt::format(
          "# The paper's experiments, repeated\n\nEvery page, its data and its picture were written by "
          "`./run reproduce NAME`; the page says with which settings, on which machine, and what "
          "came of the paper's claims and of our own. `./run reproduce NAME --stored` judges the claims "
          "again "
          "by the data that is here.\n\n{}",
          markdown_table(rows)));
}

}  // namespace

std::string csv_number(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : "";
}

std::string csv_text(const Rows& rows) {
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::vector<std::string> cells;
    for (const std::string& cell : row) cells.push_back(csv_cell(cell));
    text += joined(cells, ",") + "\n";
  }
  return text;
}

Rows parse_csv(const std::string& text) {
  Rows rows;
  Cells row(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      const bool doubled = c == '"' && i + 1 < text.size() && text[i + 1] == '"';
      if (c != '"' || doubled) row.back() += c;
      if (doubled) ++i;
      if (c == '"' && !doubled) quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      row.emplace_back();
    } else if (c == '\n') {
      rows.push_back(std::exchange(row, Cells(1)));
    } else {
      row.back() += c;
    }
  }
  return rows;
}

std::string markdown_table(const Rows& rows) {
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += '|';
    for (const std::string& cell : rows[r]) text += fmt::format(" {} |", table_cell(cell));
    text += '\n';
    if (r > 0) continue;
    text += '|';
    for (std::size_t c = 0; c < rows[r].size(); ++c) text += "---|";
    text += '\n';
  }
  return text;
}

std::string page_markdown(const EntryPage& page, const Session& session) {
  std::set<std::string> devices;
  for (const Provenance& one : page.provenances) devices.insert(one.device);
  const std::vector<std::string> device_list(devices.begin(), devices.end());
  std::string text = fmt::format("# {}\n\n{} (scale {}{}{}).\n\n![{}]({}.svg)\n\n{}\n\n", page.title,
                                 verdict(page), session.scale, devices.empty() ? "" : "; ",
                                 joined(device_list, "; "), page.title, page.name, page.introduction);
  if (!page.claims.empty()) text += claims_table(page) + "\n";
  if (!page.details.empty()) text += page.details + "\n";
  const std::string notes = in(session.out, fmt::format("{}.notes.md", page.name));
  if (fs::exists(notes)) text += read_file(notes) + "\n";
  text += fmt::format(
      "## How the numbers came to be\n\n{}, coppice {}; the numbers of the picture are in "
      "[{}.csv]({}.csv).\n\n",
      calls_text(page, session), page.version, page.name, page.name);
  if (!page.provenances.empty()) text += provenance_table(page) + "\n";
  text += data_list(page);
  return text;
}

void write_page(const Session& session, const EntryPage& page) {
  static std::mutex mutex;  // entries side by side share the index
  const std::scoped_lock lock(mutex);
  write_file(in(session.out, page.name + ".md"), page_markdown(page, session));
  write_index(session.out);
  session.say(
      fmt::format("{}: {}; written to {}", page.name, verdict(page), in(session.out, page.name + ".md")));
}

void write_picture(const Session& session, const std::string& name, const Svg& picture,
                   std::string_view more_style) {
  write_file(in(session.out, name + ".svg"),
             picture.file(std::string(picture_style()) + std::string(more_style)));
}

void write_entry(const Session& session, const EntryPage& page, const Rows& rows, const Svg& picture,
                 std::string_view more_style) {
  std::error_code error;
  fs::create_directories(session.out, error);
  if (error) fail("-o {}: cannot create the folder: {}; choose another", session.out, error.message());
  write_file(in(session.out, page.name + ".csv"), csv_text(rows));
  write_file(in(session.out, page.name + ".made.json"), made_text(session, page));
  write_picture(session, page.name, picture, more_style);
  write_page(session, page);
}

}  // namespace coppice::experiments
