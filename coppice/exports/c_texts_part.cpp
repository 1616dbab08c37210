#include "coppice/exports/c_names.h"
#include "coppice/exports/c_parts.h"

#include <algorithm>

namespace coppice {

namespace {

/// Texts are compared by their bytes; words with an order in small letters, runs of blanks as one.
constexpr std::string_view comparing = R"C(
static inline int $_same_text(const char *a, const char *b) {
  while (*a != 0 && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}
)C";

constexpr std::string_view comparing_words = R"C(
static inline int $_is_blank(char c) {
  return c == ' ' || c == '_' || c == '\t' || c == '\r' || c == '\n';
}

/* Whether the text says the word: in any case, with any blanks. */
static inline int $_same_word(const char *word, const char *text) {
  while ($_is_blank(*text)) text++;
  while (*word != 0) {
    char c = *text;
    if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
    if ($_is_blank(c)) {
      c = ' ';
      while ($_is_blank(text[1])) text++;
    }
    if (c != *word) return 0;
    word++;
    text++;
  }
  while ($_is_blank(*text)) text++;
  return *text == 0;
}
)C";

constexpr std::string_view days = R"C(
/* Days from 1970-01-01 to a date. */
static inline int32_t $_days(int year, int month, int day) {
  int32_t y = month > 2 ? year : year - 1; /* years begin in March: leap days are their last */
  int32_t m = month > 2 ? month - 3 : month + 9;
  return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}
)C";

bool has_part(const LoweredModel& model, CellPart part) {
  return std::ranges::count(model.features, part, &Feature::part) > 0;
}

void write_category(CWriter& out, const LoweredModel& model) {
  const std::vector<std::string> cells = cell_constants(out, model);
  const bool categories = has_part(model, CellPart::category);
  const bool ranks = has_part(model, CellPart::rank);
  if (!categories && !ranks) return;
  if (categories) out.code(comparing);
  if (ranks) out.code(comparing_words);
  for (std::size_t f = 0; f < cells.size(); ++f) {
    const Feature& feature = model.features[f];
    if (feature.part == CellPart::category && !feature.categories.empty())
      out.strings(fmt::format("texts_{}", f), feature.categories);
    if (feature.part == CellPart::rank) out.strings(fmt::format("texts_{}", f), feature.words);
  }
  out.code(
      "\n/* What stands in a row for a text; NULL and \"\" are missing. */\n"
      "static inline float $_category(int cell, const char *text) {\n"
      "  int k;\n"
      "  if (text == NULL || *text == 0) return NAN;\n"
      "  switch (cell) {\n");
  for (std::size_t f = 0; f < cells.size(); ++f) {
    const Feature& feature = model.features[f];
    const bool rank = feature.part == CellPart::rank;
    if (!rank && feature.part != CellPart::category) continue;
    const std::size_t count = rank ? feature.words.size() : feature.categories.size();
    out.line("    case {}:", cells[f]);
    if (count > 0) {
      out.line("      for (k = 0; k < {}; k++) {{", count);
      out.line("        if ($_same_{}($_texts_{}[k], text)) return (float)k;", rank ? "word" : "text", f);
      out.line("      }}");
    }
    out.line("      return {};", rank ? "NAN" : c_float(static_cast<float>(count)));
  }
  out.code("    default:\n      return NAN;\n  }\n}\n");
}

/// Fills the cells that are made of one column of dates.
void write_date(CWriter& out, const LoweredModel& model, const std::vector<const Feature*>& features,
                const std::vector<std::string>& cells, const std::string& name) {
  std::vector<std::string> lines;
  for (const Feature* one : features) {
    const Feature& feature = *one;
    const auto f = static_cast<std::size_t>(one - model.features.data());
    if (feature.part == CellPart::day)
      lines.push_back(fmt::format("row[{}] = (float)(days - {}) + hour / 24.0f;", cells[f],
                                  static_cast<long>(feature.origin)));
    if (feature.part == CellPart::month) lines.push_back(fmt::format("row[{}] = (float)month;", cells[f]));
    if (feature.part == CellPart::weekday)
      lines.push_back(fmt::format("row[{}] = (float)(((days + 3) % 7 + 7) % 7 + 1);", cells[f]));
    if (feature.part == CellPart::hour) lines.push_back(fmt::format("row[{}] = hour;", cells[f]));
  }
  out.line("\n/* Fills the cells made of {}: a date, and the hour of it in UTC, from 0 to 24. */",
           c_comment(model.columns[features.front()->column].name));
  out.line("static inline void $_set_{}(float *row, int year, int month, int day, float hour) {{", name);
  out.code("  const int32_t days = $_days(year, month, day);\n  (void)days;\n  (void)hour;\n");
  for (const std::string& line : lines) out.line("  {}", line);
  out.code("}\n");
}

bool of_date(const Feature& feature) {
  return feature.part == CellPart::day || feature.part == CellPart::month ||
         feature.part == CellPart::weekday;
}

/// Fills the cell of a number that float32 cannot hold.
void write_large(CWriter& out, const Feature& feature, const std::string& cell, const std::string& name) {
  out.line("\n/* Fills the cell of {}: a float holds too few of its digits, but those of the difference. */",
           c_comment(feature.name));
  out.line("static inline void $_set_{}(float *row, double value) {{", name);
  out.line("  row[{}] = (float)(value - ({:#}));", cell, feature.origin);
  out.code("}\n");
}

}  // namespace

void write_text_functions(CWriter& out, const LoweredModel& model) {
  write_category(out, model);
  const std::vector<std::string> cells = cell_constants(out, model);
  const std::vector<std::vector<const Feature*>> features = features_by_column(model);
  std::vector<std::size_t> columns;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < features.size(); ++c) {
    const auto set = [](const Feature* feature) { return of_date(*feature) || feature->wide(); };
    if (std::ranges::none_of(features[c], set)) continue;
    columns.push_back(c);
    names.push_back(model.columns[c].name);
  }
  if (std::ranges::any_of(model.features, of_date)) out.code(days);
  const std::vector<std::string> unique = c_constants("", names, {});
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::string name = unique[c].substr(1);
    for (char& letter : name)
      letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    const std::vector<const Feature*>& made = features[columns[c]];
    if (made.front()->wide()) {
      const auto f = static_cast<std::size_t>(made.front() - model.features.data());
      write_large(out, *made.front(), cells[f], name);
    } else {
      write_date(out, model, made, cells, name);
    }
  }
}

}  // namespace coppice
