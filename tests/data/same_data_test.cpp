// The same data from a file and from memory gives the same encoding and the same encoded rows, to the bit.
#include "coppice/core/random.h"
#include "coppice/core/text.h"
#include "coppice/data/summary.h"

#include "tests/data/encoding_tables.h"
#include "tests/data/files.h"

#include <bit>
#include <gmock/gmock.h>
#include <map>

namespace coppice::test {
namespace {

using coppice::testing::all_rows;
using coppice::testing::Cells;
using coppice::testing::Trained;
using ::testing::ElementsAre;

/// How a column of cells is given to a table in memory.
enum class Given : std::uint8_t { doubles, floats, ints, texts };

struct Data {
  std::vector<std::pair<std::string, Cells>> columns;
  std::map<std::string, Given> given;  ///< others are texts

  Table from_csv(const ReadHints& hints) const {
    std::string text;
    for (std::size_t c = 0; c < columns.size(); ++c) text += (c == 0 ? "" : ",") + columns[c].first;
    for (std::size_t r = 0; r < columns[0].second.size(); ++r) {
      text += '\n';
      for (std::size_t c = 0; c < columns.size(); ++c) text += (c == 0 ? "" : ",") + columns[c].second[r];
    }
    return read_text("d.csv", text + "\n", hints);
  }

  Table from_memory() const {
    Table table;
    for (const auto& [name, cells] : columns) {
      const Given how = given.contains(name) ? given.at(name) : Given::texts;
      std::vector<double> values;
      std::vector<bool> missing;
      for (const std::string& cell : cells) {
        missing.push_back(is_missing(cell));
        values.push_back(how == Given::texts || missing.back() ? 0 : *parse_number(cell));
      }
      if (how == Given::texts) table.add_texts(name, cells);
      if (how == Given::doubles) table.add_numbers(name, values, missing);
      if (how == Given::floats)
        table.add_numbers(name, std::vector<float>(values.begin(), values.end()), missing);
      if (how == Given::ints)
        table.add_numbers(name, std::vector<std::int64_t>(values.begin(), values.end()), missing);
    }
    return table;
  }
};

void expect_bits(std::span<const float> a, std::span<const float> b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(a[i]), std::bit_cast<std::uint32_t>(b[i])) << i;
}

void expect_same(const Encoding& a, const Encoding& b) {
  EXPECT_EQ(a.task, b.task);
  EXPECT_EQ(a.scaling, b.scaling);
  EXPECT_EQ(a.format, b.format);
  EXPECT_EQ(a.ids, b.ids);
  EXPECT_EQ(a.unused, b.unused);
  EXPECT_EQ(a.input_names(), b.input_names());
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    EXPECT_EQ(a.columns[i].name, b.columns[i].name);
    EXPECT_EQ(a.columns[i].kind, b.columns[i].kind);
    EXPECT_EQ(a.columns[i].fill, b.columns[i].fill);
    EXPECT_EQ(a.columns[i].indicator, b.columns[i].indicator);
    EXPECT_EQ(a.columns[i].categories, b.columns[i].categories);
    EXPECT_EQ(a.columns[i].squash.median, b.columns[i].squash.median);
    EXPECT_EQ(a.columns[i].squash.factor, b.columns[i].squash.factor);
    expect_bits(a.columns[i].edges, b.columns[i].edges);
  }
  EXPECT_EQ(a.target.name, b.target.name);
  EXPECT_EQ(a.target.classes, b.target.classes);
  EXPECT_EQ(a.target.mean, b.target.mean);
  EXPECT_EQ(a.target.deviation, b.target.deviation);
  expect_bits(a.offset, b.offset);
  expect_bits(a.factor, b.factor);
}

void expect_same(const Dataset& a, const Dataset& b) {
  ASSERT_EQ(a.rows(), b.rows());
  for (std::size_t r = 0; r < a.rows(); ++r) expect_bits(a.inputs.row(r), b.inputs.row(r));
  EXPECT_EQ(a.labels, b.labels);
  expect_bits(a.targets, b.targets);
}

void expect_same(const DataSummary& a, const DataSummary& b) {
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    EXPECT_EQ(a.columns[i].name, b.columns[i].name);
    EXPECT_EQ(a.columns[i].role, b.columns[i].role) << a.columns[i].name;
    EXPECT_EQ(a.columns[i].missing, b.columns[i].missing);
    EXPECT_EQ(a.columns[i].inputs, b.columns[i].inputs);
    EXPECT_EQ(a.columns[i].mean, b.columns[i].mean);
    EXPECT_EQ(a.columns[i].deviation, b.columns[i].deviation);
  }
  EXPECT_EQ(a.target.class_rows, b.target.class_rows);
  EXPECT_EQ(a.target.mean, b.target.mean);
  EXPECT_EQ(a.target.least, b.target.least);
}

/// Trains on both; returns what is known of the csv.
Encoding expect_same_from_both(const Data& data, const EncodingOptions& options) {
  const Table csv = data.from_csv(hints_for(options));
  const Table memory = data.from_memory();
  std::vector<std::uint32_t> rows = all_rows(csv.rows());
  std::erase_if(rows, [](std::uint32_t row) { return row % 5 == 3; });
  const Trained a(csv, options, rows);
  const Trained b(memory, options, rows);
  EXPECT_EQ(a.notes, b.notes);
  EXPECT_EQ(a.plan.uses, b.plan.uses);
  expect_same(a.encoding, b.encoding);
  expect_same(a.data, b.data);
  expect_same(summarize(csv, a.encoding), summarize(memory, b.encoding));
  EXPECT_EQ(raw_labels(csv, a.plan), raw_labels(memory, b.plan));
  // A model trained on one of them takes the other.
  std::vector<std::string> warnings;
  const Table again = data.from_csv(hints_for(b.encoding, false));
  const Dataset predicted = encode(again, b.encoding, false, warnings);
  for (std::size_t r = 0; r < predicted.rows(); ++r)
    expect_bits(predicted.inputs.row(r), b.data.inputs.row(r));
  EXPECT_TRUE(encode(memory, a.encoding, false, warnings).labels.empty());
  EXPECT_EQ(id_columns(again, a.encoding).texts,
            id_columns(data.from_csv({.texts = a.encoding.ids}), b.encoding).texts);
  return a.encoding;
}

Cells cells(std::size_t count, const std::function<std::string(std::size_t)>& make) {
  return coppice::testing::cells(count, make);
}

TEST(SameData, NumbersTextsMissingCellsAndIds) {
  const std::size_t rows = 1500;
  Random random(3, Purpose::generator, 0);
  Data data;
  data.columns = {
      {"id", cells(rows, [](auto i) { return fmt::format("u{}", i); })},
      {"many", cells(rows, [&](auto) { return fmt::format("{:.6f}", random.uniform() * 100 - 50); })},
      {"few", cells(rows, [&](auto i) { return i % 9 == 4 ? "" : std::to_string(random.below(40)); })},
      {"flag", cells(rows, [&](auto) { return std::to_string(random.below(2)); })},
      {"colour",
       cells(rows, [&](auto i) { return i % 7 == 2 ? "NA" : fmt::format("c{}", random.below(5)); })},
      {"floats", cells(rows,
                       [&](auto i) {
                         return i % 11 == 1 ? "?" : fmt::format("{}", 0.125F * float(random.below(99)));
                       })},
      {"y", cells(rows, [&](auto) { return random.below(3) == 0 ? "yes" : "no"; })}};
  data.given = {
      {"many", Given::doubles}, {"few", Given::ints}, {"flag", Given::ints}, {"floats", Given::floats}};
  EncodingOptions options;
  options.ids = {"id"};
  const Encoding encoding = expect_same_from_both(data, options);
  EXPECT_THAT(encoding.ids, ElementsAre("id"));
  EXPECT_EQ(encoding.columns.size(), 5U);
  options.categorical = {"few", "flag"};
  EXPECT_EQ(expect_same_from_both(data, options).columns[1].kind, ColumnKind::text);
}

TEST(SameData, NumberClassesHoweverTheyAreSpelled) {
  for (const Given how : {Given::doubles, Given::floats}) {
    Data data;
    data.columns = {{"x", cells(60, [](auto i) { return std::to_string(i); })},
                    {"y", cells(60, [](auto i) { return i % 3 == 0   ? "2.0"
                                                        : i % 3 == 1 ? "0.0"
                                                                     : "1.0"; })}};
    data.given = {{"x", Given::doubles}, {"y", how}};
    EXPECT_THAT(expect_same_from_both(data, {}).target.classes, ElementsAre("0", "1", "2"));
    data.columns[1].second = cells(60, [](auto i) { return i % 2 == 0 ? "0.5" : "-0.25"; });
    EXPECT_THAT(expect_same_from_both(data, {}).target.classes, ElementsAre("-0.25", "0.5"));
    data.columns[1].second = cells(60, [](auto i) { return i % 5 == 0 ? "1" : i % 2 == 0 ? "1.0" : "0"; });
    EXPECT_THAT(expect_same_from_both(data, {}).target.classes, ElementsAre("0", "1"));
    EncodingOptions options;
    options.task = Task::classification;
    data.columns[1].second = cells(60, [](auto i) { return fmt::format("0.{}", i % 10); });
    expect_same_from_both(data, options);
  }
}

TEST(SameData, WholeClassesBeyondFloat32) {
  Data data;
  data.columns = {{"x", cells(20, [](auto i) { return std::to_string(i); })},
                  {"y", cells(20, [](auto i) { return std::to_string(16'777'216 + i % 2); })}};
  data.given = {{"x", Given::ints}, {"y", Given::ints}};
  EXPECT_THAT(expect_same_from_both(data, {}).target.classes, ElementsAre("16777216", "16777217"));
}

TEST(SameData, NumberTargets) {
  for (const std::size_t different : {30U, 3000U}) {
    Data data;
    data.columns = {
        {"x", cells(4000, [](auto i) { return fmt::format("{:.3f}", std::sin(double(i))); })},
        {"y", cells(4000, [&](auto i) { return fmt::format("{}", double(i * 7 % different) / 8); })}};
    data.given = {{"x", Given::floats}, {"y", Given::doubles}};
    EXPECT_EQ(expect_same_from_both(data, {}).task, Task::regression);
  }
}

TEST(SameData, ABorrowedMatrixIsTheSameAsItsColumns) {
  Matrix<float> values(300, 4);
  Data data;
  for (std::size_t c = 0; c < 4; ++c) {
    data.columns.emplace_back(fmt::format("column{}", c + 1), Cells());
    data.given[data.columns.back().first] = Given::floats;
    for (std::size_t r = 0; r < 300; ++r) {
      values(r, c) = static_cast<float>((r * (c + 3)) % 41) / 4;
      data.columns.back().second.push_back(fmt::format("{}", values(r, c)));
    }
  }
  EncodingOptions options;
  options.target = "column4";
  expect_same_from_both(data, options);
  const Trained columns(data.from_memory(), options);
  const Trained borrowed(Table::matrix(values), options);
  EXPECT_EQ(columns.notes, borrowed.notes);
  expect_same(columns.encoding, borrowed.encoding);
  expect_same(columns.data, borrowed.data);
}

TEST(SameData, DatesOrdersManyTextsAndBins) {
  Data data;
  data.columns = {
      {"when", cells(1500,
                     [](auto i) {
                       return fmt::format("2024-01-{:02}T{:02}:{:02}:{:02}Z", 1 + i % 28, i % 24, i % 60,
                                          i % 59);
                     })},
      {"size", cells(1500, [](auto i) { return i % 3 == 0   ? "S"
                                               : i % 3 == 1 ? "M"
                                                            : ""; })},
      {"grade", cells(1500,
                      [](auto i) {
                        return i % 4 == 0 ? "low" : i % 4 == 1 ? "high" : i % 4 == 2 ? "medium" : "";
                      })},
      {"name", cells(1500, [](auto i) { return i % 4 == 0 ? "often" : fmt::format("n{}", i); })},
      {"x", cells(1500, [](auto i) { return i % 9 == 0 ? "" : std::to_string(i * 7919 % 1009); })},
      {"y", cells(1500, [](auto i) { return i % 2 == 0 ? "p" : "q"; })}};
  data.given = {{"x", Given::ints}};
  EncodingOptions options;
  options.encode = Encode::bins;
  const Encoding encoding = expect_same_from_both(data, options);
  EXPECT_EQ(encoding.derived.size(), 2U);
  EXPECT_TRUE(encoding.has_bins());
  EXPECT_TRUE(
      std::ranges::any_of(encoding.columns, [](const InputColumn& column) { return column.name == "name"; }));
}

}  // namespace
}  // namespace coppice::test
