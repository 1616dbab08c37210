#pragma once

#include "coppice/reproduce/session.h"
#include "coppice/reproduce/training.h"

#include <optional>
#include <string>
#include <vector>

namespace coppice::reproduce {

/// Something the paper says, and what came out here.
struct Claim {
  std::string paper;
  std::string measured;
  std::optional<bool> holds;  ///< none: it says nothing that a number decides
};

/// What an entry tells about itself.
struct Page {
  std::string name;
  std::string title;
  std::string introduction;  ///< Markdown: what was done
  std::vector<Claim> claims = {};
  std::string details = {};  ///< Markdown, after the claims
  std::vector<Origin> origins = {};
  std::vector<DataFiles> data = {};
};

/// Rows of cells as csv: quoted where they must be.
std::string csv_text(const std::vector<std::vector<std::string>>& rows);
/// A number as csv files have it; empty if it is not finite.
std::string csv_number(double value, int digits = 6);

/// A table in Markdown; bars and line ends in cells are made harmless.
std::string markdown_table(const std::vector<std::vector<std::string>>& rows);

std::string page_markdown(const Page& page, const Session& session);

/// NAME.md, NAME.csv and NAME.svg in the output folder, and the index of all that are there. NAME.notes.md, if someone
/// has put one there, becomes part of the page.
void write_entry(const Session& session, const Page& page, const std::string& csv, const std::string& svg);

}  // namespace coppice::reproduce
