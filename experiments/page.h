#pragma once

#include "coppice/report/svg.h"

#include "experiments/judge.h"
#include "experiments/training.h"

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace coppice::experiments {

/// Something that is said, and what came out here.
struct Claim {
  std::string text;  ///< with the rule, where the words leave one open
  std::string measured;
  Judged judged;
  bool ours = false;  ///< not the paper's
};

/// Rows of cells, the first one their names.
using Cells = std::vector<std::string>;
using Rows = std::vector<Cells>;

/// What an entry tells about itself.
struct EntryPage {
  std::string name = {};
  std::string title = {};
  std::string introduction = {};  ///< Markdown: what was done
  std::vector<Claim> claims = {};
  std::string details = {};  ///< Markdown, after the claims
  std::vector<Provenance> provenances = {};
  std::vector<DataFiles> data = {};
  std::vector<std::string> before = {};      ///< calls that sets of the page are kept from
  std::string version = coppice::version();  ///< of the program that the numbers came from
};

/// As csv: cells quoted where they must be.
std::string csv_text(const Rows& rows);
/// Reads what csv_text wrote.
Rows parse_csv(const std::string& text);
/// A number as csv files have it; empty if it is not finite.
std::string csv_number(double value, int digits = 6);

/// What became of a net, alike in all csv files: the last cells of its row, and their names.
inline const Cells outcome_names{"parameters", "train_loss", "validation_error",
                                 "test_error", "epochs",     "end"};
template <class Result>
Cells outcome_cells(const Result& net) {
  return {std::to_string(net.parameters),   csv_number(net.train_loss),
          csv_number(net.validation_error), csv_number(net.test_error.value_or(std::nan(""))),
          std::to_string(net.epochs),       net.phase};
}

/// A table in Markdown; bars and line ends in cells are made harmless.
std::string markdown_table(const Rows& rows);

std::string page_markdown(const EntryPage& page, const Session& session);

/// NAME.md in the output folder, and the index of all that are there. NAME.notes.md, if someone has put one there,
/// becomes part of the page.
void write_page(const Session& session, const EntryPage& page);

/// NAME.svg in the output folder. `more_style`: of this picture alone.
void write_picture(const Session& session, const std::string& name, const Svg& picture,
                   std::string_view more_style = {});

/// The page, its data NAME.csv, NAME.made.json (how it came to be, see stored.h) and NAME.svg.
void write_entry(const Session& session, const EntryPage& page, const Rows& rows, const Svg& picture,
                 std::string_view more_style = {});

}  // namespace coppice::experiments
