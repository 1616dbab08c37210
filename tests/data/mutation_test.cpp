#include "coppice/core/random.h"

#include "tests/data/files.h"

#include <array>

namespace coppice::test {
namespace {

using namespace std::string_view_literals;

/// A few random edits: bytes changed, removed, repeated, or pieces that mean something to a reader put in.
std::string mutate(std::string text, Random& random) {
  constexpr std::array pieces{"\""sv,          "'"sv,
                              ","sv,           "\n"sv,
                              "{"sv,           "}"sv,
                              ":"sv,           "\0"sv,
                              "\\"sv,          "?"sv,
                              "1e999"sv,       "-1"sv,
                              " "sv,           "\t"sv,
                              "\r"sv,          "@data\n"sv,
                              "0:1"sv,         "nan"sv,
                              "%"sv,           "#"sv,
                              "99999999999"sv, "\xFF\xFF\xFF\xFF"sv};
  for (std::uint64_t edits = 1 + random.below(4); edits > 0; --edits) {
    const std::size_t at = random.below(text.size() + 1);
    const std::size_t count = random.below(8);
    switch (random.below(5)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        text.erase(at, count);
        break;
      case 2:
        text.insert(at, text.substr(random.below(text.size() + 1), count * 4));
        break;
      case 3:
        text.resize(at);
        break;
      default:
        text.insert(at, pieces[random.below(pieces.size())]);
    }
  }
  return text;
}

class Mutations : public ::testing::Test {
 protected:
  /// Every mutation gives a table or an Error; both must come up.
  void run(const std::string& name, const std::string& valid, Format format) {
    Random random(7, Purpose::generator, static_cast<std::uint32_t>(format));
    int tables = 0;
    int errors = 0;
    for (int round = 0; round < 1500; ++round) {
      const std::string text = mutate(valid, random);
      try {
        StringStream stream(text);
        StringStream label_stream(labels_);
        const TableBytes labels{.stream = label_stream, .name = name};
        const TableBytes bytes{.stream = stream, .name = name};
        const Table table = labels_.empty() ? read_bytes(bytes, format) : read_idx(bytes, &labels);
        EXPECT_EQ(stream.pulled, text.size()) << text;
        for (std::size_t i = 0; i < table.columns(); ++i) {
          ASSERT_LE(facts(table, i).numeric, facts(table, i).present) << text;
          ASSERT_LE(facts(table, i).present, table.rows()) << text;
          // The column can also be taken quite otherwise than it suggests.
          const TextCells cells(table, i);
          std::size_t present = 0;
          for (std::size_t row = 0; row < table.rows(); ++row) {
            if (cells.code(row) == Column::missing) continue;
            ASSERT_LT(cells.code(row), cells.size()) << text;
            ++present;
          }
          ASSERT_EQ(present, facts(table, i).present) << text;
        }
        StringStream again(text);
        const Table told =
            read_bytes({.stream = again, .name = name, .hints = {.numbers = table.names()}}, format);
        ASSERT_EQ(told.rows(), table.rows()) << text;
        for (std::size_t i = 0; i < told.columns(); ++i)
          ASSERT_EQ(facts(told, i).present, facts(table, i).present);
        ++tables;
      } catch (const Error& error) {
        ASSERT_NE(std::string_view(error.what()).find(name), std::string_view::npos) << error.what();
        ++errors;
      }
    }
    EXPECT_GT(tables, 10);
    EXPECT_GT(errors, 10);
  }

  std::string labels_;
};

TEST_F(Mutations, Csv) {
  run("m.csv", "id,text,x\n1,\"a \"\"b\"\"\nc\",2.5\n2,plain,\r\n3,\"q\",-1e3\n", Format::csv);
}

TEST_F(Mutations, Blanks) {
  run("m.txt", "1 2.5 \"a b\"\n3 4.5 c\n5 6 d\n", Format::csv);
}

TEST_F(Mutations, Libsvm) {
  run("m.svm", "+1 1:0.5 7:2 # c\n-1 2:1\n\n1 1:1 2:2 3:3\n", Format::libsvm);
}

TEST_F(Mutations, Arff) {
  run("m.arff",
      "% c\n@relation 'r s'\n@attribute a real\n@attribute 'b c' {x,'y z'}\n@attribute t "
      "string\n@data\n1,x,'q\\'r'\n"
      "{0 2,1 'y z'}\n?,?,?\n{}\n",
      Format::arff);
}

TEST_F(Mutations, Amat) {
  run("m.amat", "0.5 1 0\n0.25 -1 1\n1e-3 2 0\n", Format::amat);
}

TEST_F(Mutations, Idx) {
  run("m-images-idx3-ubyte", idx_bytes({2, 2, 3}, "abcdefghijkl"), Format::idx);
  labels_ = idx_bytes({2}, "\x01\x00"sv);
  run("m-images-idx3-ubyte", idx_bytes({2, 1}, "ab"), Format::idx);
}

}  // namespace
}  // namespace coppice::test
