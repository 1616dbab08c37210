#include "coppice/data/column_builder.h"

#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/data/columns.h"
#include "coppice/data/short_number.h"
#include "coppice/data/unread_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace coppice {

namespace {

/// Too large ones are never used: whoever takes the column as numbers is told.
double usable(double value) {
  return fits_float(value) ? value : std::numeric_limits<double>::infinity();
}

void note(std::unique_ptr<CellSpot>& spot, const RowPlace& at, std::string_view text) {
  if (!spot) spot = std::make_unique<CellSpot>(CellSpot{.at = at, .text = std::string(text)});
}

}  // namespace

ColumnBuilder::ColumnBuilder(ColumnHead head, Kept kept, const std::string& table, std::size_t index,
                             const std::shared_ptr<CellMemory>& memory)
    : kept_(kept), column_(std::make_shared<Column>()), table_(table), index_(index) {
  column_->cells = CellStore(memory);
  column_->upper = CellStore(memory);
  column_->name = std::move(head.name);
  column_->facts.declared = head.declared;
  for (const std::string& value : head.declared_values) admitted_.add(value);
  column_->facts.declared_values = std::move(head.declared_values);
  column_->storage = kept == Kept::nothing  ? Column::Storage::none
                     : kept == Kept::number ? Column::Storage::floats
                                            : Column::Storage::codes;
}

CellPlace ColumnBuilder::place(const RowPlace& at) const {
  return {.table = table_, .at = at, .column = index_, .name = column_->name};
}

void ColumnBuilder::admit(const std::vector<std::string>& values) {
  TextIndex distinct;
  for (const std::string& value : values) {
    const std::size_t before = distinct.size();
    if (distinct.add(value) < before) {
      fail_at({.column = name()}, "{}: column {} has the category {} twice; rename one of them", table_,
              cited(name()), cited(value));
    }
    if (admitted_.find(value) != TextIndex::none) continue;
    admitted_.add(value);
    column_->facts.declared_values.push_back(value);
  }
}

std::string_view ColumnBuilder::absent_text() const {
  if (!column_->facts.declared_values.empty()) return column_->facts.declared_values.front();
  return column_->facts.declared == ColumnKind::text ? "" : "0";
}

void ColumnBuilder::add(std::string_view text, const RowPlace& at, std::size_t most, std::size_t count) {
  rows_ += count;
  if (has_codes()) {
    add_code(text, at, most, count);
  } else {
    add_number(text, at, count);
  }
}

void ColumnBuilder::add(const CellRun& run, std::size_t most) {
  const std::string_view* cell = run.first;
  const std::size_t count = run.lines.size();
  for (std::size_t i = 0; i < count; ++i, cell += run.stride) {
    if (run.numbers != nullptr && takes_numbers(run.traits))
      return add_numbers(std::span(run.numbers, count).subspan(i), run.traits);
    if (!add_short(*cell)) add(*cell, {.row = run.row + i, .line = run.lines[i]}, most, 1);
  }
}

/// Whether all that adding such short numbers one by one would do is what add_numbers() does.
bool ColumnBuilder::takes_numbers(std::uint8_t traits) const {
  const ColumnFacts& facts = column_->facts;
  if (!facts.declared_values.empty()) return false;
  if (column_->storage == Column::Storage::none) return true;
  const bool known = range_.rounded() || (traits & CellTraits::inexact) == 0;
  return column_->storage == Column::Storage::floats && facts.distinct >= 3 && known;
}

void ColumnBuilder::add_numbers(std::span<const float> numbers, std::uint8_t traits) {
  ColumnFacts& facts = column_->facts;
  rows_ += numbers.size();
  facts.present += numbers.size();
  facts.numeric += numbers.size();
  if ((traits & CellTraits::fraction) != 0) facts.whole = false;
  if (column_->storage == Column::Storage::none) return;
  column_->respelled = true;
  if (!range_.rounded()) {
    const auto [least, greatest] = std::ranges::minmax(numbers);
    range_.add(least, facts.whole);
    range_.add(greatest, facts.whole);
  }
  column_->cells.append(numbers);
}

/// What add() does with most numbers of most columns, and nothing else.
bool ColumnBuilder::add_short(std::string_view text) {
  const bool numbers =
      column_->storage == Column::Storage::floats || column_->storage == Column::Storage::doubles;
  ColumnFacts& facts = column_->facts;
  double value = 0;
  if (!numbers || !facts.declared_values.empty() || !parse_short(text, value)) return false;
  ++rows_;
  ++facts.present;
  ++facts.numeric;
  column_->respelled = true;
  if (facts.whole && std::trunc(value) != value) facts.whole = false;
  if (range_.rounded() && facts.distinct >= 3 && std::fabs(value) < NumberRange::hundredths_below &&
      column_->storage == Column::Storage::floats) {
    column_->cells.push(static_cast<float>(value));
  } else {
    push_numbers(value, 1);
  }
  return true;
}

void ColumnBuilder::add_code(std::string_view text, const RowPlace& at, std::size_t most, std::size_t count) {
  const std::uint32_t code = column_->texts.add(text);
  const bool fresh = code == told_.size();
  if (fresh) {
    double value = 0;
    told_.push_back(tell(text, at, value));
    column_->values.push_back(told_.back() == Told::number ? usable(value) : not_a_number);
  }
  for (std::size_t i = 0; i < count; ++i) column_->cells.push(code);
  if (fresh && told_.back() != Told::missing) note_distinct(most);
}

/// Of a column that has no codes, or no longer.
void ColumnBuilder::add_number(std::string_view text, const RowPlace& at, std::size_t count) {
  double value = 0;
  const Told told = tell(text, at, value);
  this->count(told, count);
  if (told == Told::stray && strays_.size() < ColumnFacts::most_distinct_texts) strays_.add(text);
  if (column_->storage == Column::Storage::none) return;
  const bool text_cell = told == Told::stray || told == Told::unread;
  if (text_cell && kept_ != Kept::number) return forget();
  column_->respelled = true;
  push_numbers(told == Told::number ? usable(value) : not_a_number, count);
}

/// Of a column without codes: as floats, or as doubles once these would lose digits.
void ColumnBuilder::push_numbers(double value, std::size_t count) {
  note_value(value);
  if (std::isfinite(value)) {
    range_.add(value, column_->facts.whole);
    if (range_.needs_doubles() && column_->storage == Column::Storage::floats) widen();
  }
  if (column_->storage == Column::Storage::floats) {
    for (std::size_t i = 0; i < count; ++i) column_->cells.push(static_cast<float>(value));
    return;
  }
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (std::size_t i = 0; i < count; ++i) {
    column_->cells.push(static_cast<std::uint32_t>(bits));
    column_->upper.push(static_cast<std::uint32_t>(bits >> 32U));
  }
}

/// Floats become doubles.
void ColumnBuilder::widen() {
  for (std::size_t row = 0; row < column_->cells.size(); ++row) {
    const auto bits = std::bit_cast<std::uint64_t>(column_->value(row));
    column_->upper.push(static_cast<std::uint32_t>(bits >> 32U));
    column_->cells.run(row).front() = static_cast<std::uint32_t>(bits);
  }
  column_->storage = Column::Storage::doubles;
}

void ColumnBuilder::add_missing(const RowPlace& at) {
  ++rows_;
  note(column_->facts.missing, at, {});
  if (has_codes()) {
    column_->cells.push(Column::missing);
  } else if (column_->storage != Column::Storage::none) {
    push_numbers(not_a_number, 1);
  }
}

void ColumnBuilder::add_again(std::uint32_t code) {
  ++rows_;
  column_->cells.push(code);
}

void ColumnBuilder::add(double number, const RowPlace& at) {
  if (!fits_float(number)) fail_too_large(place(at), shortest(number));
  ++rows_;
  ColumnFacts& facts = column_->facts;
  ++facts.present;
  ++facts.numeric;
  if (facts.whole && std::trunc(number) != number) facts.whole = false;
  push_numbers(number, 1);
}

void ColumnBuilder::add(std::span<const float> numbers) {
  ColumnFacts& facts = column_->facts;
  for (const float number : numbers) {
    const RowPlace at{.row = rows_++};
    if (std::isnan(number)) {
      note(facts.missing, at, {});
    } else {
      if (std::isinf(number)) fail_too_large(place(at), shortest(number));
      ++facts.present;
      if (facts.whole && std::trunc(number) != number) facts.whole = false;
      note_value(number);
    }
    if (column_->storage == Column::Storage::floats) column_->cells.push(number);
  }
  facts.numeric = facts.present;
}

/// What a cell says that was not seen before; notes where the first of its kind stands.
ColumnBuilder::Told ColumnBuilder::tell(std::string_view text, const RowPlace& at, double& value) {
  ColumnFacts& facts = column_->facts;
  const Cell cell = parse_cell(text);
  // A declared value is itself even if it is spelled like a missing marker.
  const bool admitted = admitted_.find(text) != TextIndex::none;
  if (cell.kind == CellKind::missing && !admitted) {
    note(facts.missing, at, {});
    return Told::missing;
  }
  if (!admitted) check_declared(cell.kind == CellKind::text, text, at);
  if (cell.kind == CellKind::number) {
    value = cell.value;
    if (facts.whole && std::trunc(value) != value) facts.whole = false;
    if (!fits_float(value)) note(facts.large, at, text);
    return Told::number;
  }
  if (!unread_format(text).empty()) {
    note(facts.unread, at, text);
    return Told::unread;
  }
  // Taken as numbers, those spelled like missing markers are missing: other texts come before them.
  if (facts.stray && is_missing(facts.stray->text) && !is_missing(text)) facts.stray.reset();
  note(facts.stray, at, text);
  return Told::stray;
}

void ColumnBuilder::check_declared(bool text_cell, std::string_view text, const RowPlace& at) const {
  const ColumnFacts& facts = column_->facts;
  if (!facts.declared_values.empty()) {
    place(at).fail(fmt::format("{} is not one of the declared values {{{}}}; declare it or correct it",
                               cited(text), listed(facts.declared_values, 10)));
  }
  if (text_cell && facts.declared == ColumnKind::number) {
    if (!unread_format(text).empty()) fail_unread(place(at), text);
    place(at).fail(
        fmt::format("{} is not a number; correct it, or put ? if the value is unknown", cited(text)));
  }
}

/// Counts one more different cell. Too many of them are not kept unless that was asked for.
void ColumnBuilder::note_distinct(std::size_t most) {
  ColumnFacts& facts = column_->facts;
  const bool numbers = !facts.stray && !facts.unread;
  const bool too_many = column_->texts.size() > ColumnFacts::most_kept_texts;
  if (facts.more_distinct && !too_many) return;
  if (!numbers || kept_ == Kept::text || kept_ == Kept::classes) most = ColumnFacts::most_distinct;
  if (facts.distinct < most) {
    ++facts.distinct;
    return;
  }
  facts.more_distinct = true;
  if (kept_ == Kept::text || !facts.declared_values.empty()) return;
  if (!numbers && !too_many) return;
  count_codes();
  if (numbers) {
    to_numbers();
  } else {
    forget();
  }
}

/// Counts different numbers up to three: whether there are two is all that is asked of columns of numbers alone.
void ColumnBuilder::note_value(double value) {
  ColumnFacts& facts = column_->facts;
  if (facts.distinct >= 3 || std::isnan(value)) return;
  if (facts.distinct > 0 && value == first_value_) return;
  if (facts.distinct > 1 && value == second_value_) return;
  (facts.distinct == 0 ? first_value_ : second_value_) = value;
  ++facts.distinct;
}

void ColumnBuilder::count(Told told, std::size_t cells) {
  ColumnFacts& facts = column_->facts;
  if (told == Told::missing) return;
  facts.present += cells;
  if (told == Told::number) facts.numeric += cells;
  if (told == Told::unread) facts.unread_numbers += cells;
}

void ColumnBuilder::count_codes() {
  std::vector<std::size_t> cells(told_.size());
  for (std::size_t row = 0; row < rows_;) {
    const auto run = column_->cells.run(row);
    for (const std::uint32_t code : run) {
      if (code != Column::missing) ++cells[code];
    }
    row += run.size();
  }
  for (std::size_t code = 0; code < told_.size(); ++code) count(told_[code], cells[code]);
  for (std::size_t code = 0; code < told_.size() && strays_.size() < ColumnFacts::most_distinct_texts;
       ++code) {
    if (told_[code] == Told::stray) strays_.add(column_->texts[code]);
  }
}

/// What the numbers among the codes span.
void ColumnBuilder::note_codes() {
  for (const double value : column_->values) {
    if (std::isfinite(value)) range_.add(value, column_->facts.whole);
  }
}

/// Codes become the bits of their numbers, in place.
void ColumnBuilder::to_numbers() {
  note_codes();
  const bool wide = range_.needs_doubles();
  for (std::size_t row = 0; row < rows_;) {
    const auto run = column_->cells.run(row);
    for (std::uint32_t& cell : run) {
      const double value = cell == Column::missing ? not_a_number : column_->values[cell];
      const auto bits = std::bit_cast<std::uint64_t>(value);
      cell =
          wide ? static_cast<std::uint32_t>(bits) : std::bit_cast<std::uint32_t>(static_cast<float>(value));
      if (wide) column_->upper.push(static_cast<std::uint32_t>(bits >> 32U));
    }
    row += run.size();
  }
  column_->storage = wide ? Column::Storage::doubles : Column::Storage::floats;
  column_->respelled = true;
  column_->texts = {};
  column_->values = {};
  told_ = {};
}

/// Keeps one text, for messages.
void ColumnBuilder::forget() {
  TextIndex one;
  const auto first = std::ranges::find_if(told_, [](Told told) { return told != Told::missing; });
  if (first != told_.end()) one.add(column_->texts[static_cast<std::size_t>(first - told_.begin())]);
  column_->storage = Column::Storage::none;
  column_->texts = std::move(one);
  column_->values = {};
  column_->cells = {};
  column_->upper = {};
  told_ = {};
}

/// Codes of missing cells become `missing`. Texts in Latin-1 become UTF-8; one that the column then holds twice keeps the
/// first code.
void ColumnBuilder::tidy_codes() {
  bool tidy = std::ranges::find(told_, Told::missing) == told_.end();
  for (std::size_t code = 0; code < told_.size() && tidy; ++code) tidy = is_utf8(column_->texts[code]);
  if (tidy) return;
  TextIndex texts;
  std::vector<double> values;
  std::vector<std::uint32_t> code_of;
  for (std::size_t code = 0; code < told_.size(); ++code) {
    const bool missing = told_[code] == Told::missing;
    code_of.push_back(missing ? Column::missing : texts.add(to_utf8(column_->texts[code])));
    if (values.size() < texts.size()) values.push_back(column_->values[code]);
  }
  for (std::size_t row = 0; row < rows_;) {
    const auto run = column_->cells.run(row);
    for (std::uint32_t& cell : run) cell = cell == Column::missing ? cell : code_of[cell];
    row += run.size();
  }
  column_->texts = std::move(texts);
  column_->values = std::move(values);
}

std::shared_ptr<const Column> ColumnBuilder::close() {
  ColumnFacts& facts = column_->facts;
  if (has_codes()) {
    count_codes();
    tidy_codes();
    note_codes();
  }
  column_->base = range_.base();
  facts.rounded = range_.rounded() && facts.whole;
  facts.distinct_texts = strays_.size();
  for (std::string& value : facts.declared_values) value = to_utf8(value);
  column_->cells.close();
  column_->upper.close();
  column_->texts.close();
  return std::move(column_);
}

std::shared_ptr<const Column> ColumnBuilder::finish() {
  std::shared_ptr<const Column> column = close();
  if (const CellSpot* large = too_large(*column))
    fail_too_large({.table = table_, .at = large->at, .column = index_, .name = column->name}, large->text);
  return column;
}

std::shared_ptr<const Column> ColumnBuilder::finish(const float* first, std::size_t stride) {
  column_->storage = Column::Storage::borrowed;
  column_->first = first;
  column_->stride = stride;
  return std::move(column_);
}

}  // namespace coppice
