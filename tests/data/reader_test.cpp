#include "coppice/data/reader.h"

#include "coppice/core/fail.h"

#include "tests/data/files.h"

namespace coppice::test {
namespace {

TEST(Reader, FormatsAreToldByExtensionElseByContent) {
  EXPECT_EQ(find_format("a.csv", "1 2:3\n"), Format::csv);
  EXPECT_EQ(find_format("a.TSV", "1 2:3\n"), Format::csv);
  EXPECT_EQ(find_format("folder.csv/a.svm.gz", "a,b\n"), Format::libsvm);
  EXPECT_EQ(find_format("a.arff", ""), Format::arff);
  EXPECT_EQ(find_format("a.amat", "1 2:3\n"), Format::amat);
  EXPECT_EQ(find_format("a.csv", idx_bytes({1, 1}, "a")), Format::idx) << "whatever it is called";
  EXPECT_EQ(find_format("labels", std::string_view("\0\0\x08\x01", 4)), Format::idx)
      << "no more than its kind";
  EXPECT_EQ(find_format("a", "+1 3:1 7:0.5\n-1\n-1 2:1 # x\n"), Format::libsvm);
  EXPECT_EQ(find_format("a", "1 10:5\n"), Format::libsvm);
  EXPECT_EQ(find_format("a", "1 :5\n"), Format::csv) << "no column is named";
  EXPECT_EQ(find_format("a", "% hello\n\n@RELATION x\n"), Format::arff);
  EXPECT_EQ(find_format("a", "10:30 5\n11:30 6\n"), Format::csv);
}

TEST(Reader, NamesAndTextsLoseTheBlanksAroundThem) {
  EXPECT_EQ(read_text("d.csv", "a, b ,\tc \n1,x,2\n").names(), (Strings{"a", "b", "c"}));
  const Table table = read_text("d.csv", "1, x ,0\n2,y,1\n3,x,0\n");
  ASSERT_EQ(table.rows(), 3U) << "no names";
  EXPECT_EQ(distinct(table, 1), (Strings{"x", "y"}));
}

/// The numbers of column 0, one after another, in parts that are answered together.
class Parts {
 public:
  static constexpr std::size_t rows = 5000;
  static constexpr std::size_t most = 100;

  Parts() {
    std::string text = "n,t\n";
    for (std::size_t i = 0; i < rows; ++i) text += fmt::format("{},text {}\n", i, i % 7);
    text_ = text;
  }
  /// What is put until one of the parts, that with this number, cannot be answered.
  std::string answered(std::size_t threads, std::size_t bad, std::string& mistake) const {
    StringStream stream(text_);
    std::string all;
    const auto answer = [&](const Table& part) {
      EXPECT_LE(part.rows(), most);
      std::string own;
      for (std::size_t row = 0; row < part.rows(); ++row) {
        if (part.column(0).value(row) == static_cast<double>(bad)) fail("row {} is bad", bad);
        own += fmt::format("{} ", part.column(0).value(row));
      }
      return own;
    };
    try {
      answer_parts({.stream = stream, .name = "d.csv", .threads = threads}, {}, most, answer,
                   [&](std::string_view text) { all += text; });
    } catch (const Error& error) {
      mistake = error.what();
    }
    return all;
  }
  static std::string numbers(std::size_t count) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += fmt::format("{} ", i);
    return all;
  }

 private:
  std::string text_;
};

TEST(Reader, PartsAreAnsweredInTheirOrder) {
  const Parts parts;
  for (const std::size_t threads : {1U, 3U}) {
    std::string mistake;
    EXPECT_EQ(parts.answered(threads, Parts::rows, mistake), Parts::numbers(Parts::rows));
    EXPECT_EQ(mistake, "");
    EXPECT_EQ(parts.answered(threads, 3210, mistake), Parts::numbers(3200)) << "those before it";
    EXPECT_EQ(mistake, "row 3210 is bad");
  }
}

/// Small and larger than every buffer.
std::string table_of(const std::string& header, const std::string& row, std::size_t rows) {
  std::string text = header;
  for (std::size_t i = 0; i < rows; ++i) text += row;
  return text;
}

TEST(Reader, EveryByteIsPulledOnceFromAStreamThatCannotGoBack) {
  for (const std::size_t rows : {2U, 500U, 300'000U}) {
    for (const auto& [name, text] :
         {std::pair<std::string, std::string>("a.csv", table_of("a;b\n", "1;x\n", rows)),
          {"a.txt", table_of("", "1 2.5 \"a b\"\n", rows)},
          {"a.libsvm", table_of("", "1 1:2 7:1\n", rows)},
          {"a.arff", table_of("@relation r\n@attribute x real\n@data\n", "1\n", rows)},
          {"a.amat", table_of("", "1 2 0\n", rows)},
          {"images", idx_bytes({static_cast<std::uint32_t>(rows), 1, 1}, std::string(rows, 'x'))}}) {
      StringStream stream(text);
      const Table table = read_bytes({.stream = stream, .name = name});
      EXPECT_EQ(table.rows(), rows) << name;
      EXPECT_EQ(stream.pulled, text.size()) << name;
    }
  }
}

TEST(Reader, ARecordLongerThanTheHeadIsReadWhole) {
  const std::string cell(1'000'000, 'x');
  const std::string text = "a,b\n1,\"" + cell + "\n" + cell + "\"\n2,y\n";
  StringStream stream(text);
  const Table table = read_bytes({.stream = stream, .name = "a.csv"});
  EXPECT_EQ(text_at(table, 0, 1).size(), 2'000'001U);
  EXPECT_EQ(stream.pulled, text.size());
}

TEST(Reader, LimitsAreObeyed) {
  const auto message = [](const std::string& name, const std::string& text, const ReadLimits& limits) {
    StringStream stream(text);
    return message_of([&] { read_bytes({.stream = stream, .name = name, .limits = limits}); });
  };
  expect_parts(message("a.csv", "a,b,c\n1,2,3\n", {.columns = 2}), {"a.csv", "more than 2 fields"});
  expect_parts(message("a.svm", "1 1:1 2:2\n", {.columns = 2}), {"a.svm", "beyond 1"});
  expect_parts(message("a.amat", "1 2 3\n", {.columns = 2}), {"a.amat", "2 to 2 fields"});
  expect_parts(message("a.arff",
                       "@relation r\n@attribute a real\n@attribute b real\n@attribute c real\n@data\n1,2,3\n",
                       {.columns = 2}),
               {"more than 2 attributes"});
  expect_parts(message("i", idx_bytes({1, 2, 2}, "abcd"), {.columns = 4}), {"4 or more values"});
  expect_parts(message("a.csv", "a,b\n1," + std::string(1U << 20U, 'x'), {.line = 1U << 19U}),
               {"line 2", "longer than"});
}

TEST(Reader, NumbersOfAWideTableKeepFewerSpellings) {
  std::string text = "y";
  for (int c = 0; c < 999; ++c) text += fmt::format(",c{}", c);
  for (int r = 0; r < 400; ++r) {
    text += fmt::format("\n{}", r);
    for (int c = 0; c < 999; ++c) text += fmt::format(",{}", c == 0 ? r : r % 3);
  }
  const Table table = read_text("wide.csv", text + "\n");
  EXPECT_FALSE(facts(table, 0).more_distinct) << "but for what may be the target";
  EXPECT_EQ(facts(table, 0).distinct, 400U);
  EXPECT_TRUE(facts(table, 1).more_distinct);
  EXPECT_EQ(facts(table, 1).distinct, 300U);
  EXPECT_EQ(number_at(table, 399, 1), 399);
  EXPECT_EQ(facts(table, 2).distinct, 3U);
}

TEST(Reader, TextAfterManyNumbersLosesTheNumbersOnly) {
  std::string text = "a,b\n";
  for (int r = 0; r < 1500; ++r)
    text += fmt::format("{},{}\n", r == 1400 ? "oops" : std::to_string(r), r % 4);
  const Table table = read_text("d.csv", text);
  EXPECT_EQ(table.column(0).storage, Column::Storage::none);
  EXPECT_EQ(facts(table, 0).present, 1500U);
  EXPECT_EQ(facts(table, 0).numeric, 1499U);
  EXPECT_EQ(facts(table, 0).distinct_texts, 1U);
  EXPECT_EQ(facts(table, 0).stray->at.line, 1402U);
  expect_parts(number_error(table, {0}), {"line 1402", "\"oops\""});
  const Table told = read_text("d.csv", text, {.texts = {"a"}});
  EXPECT_EQ(text_at(told, 1400, 0), "oops");
  EXPECT_EQ(text_at(told, 1499, 0), "1499");
}

}  // namespace
}  // namespace coppice::test
