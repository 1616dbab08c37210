#include "experiments/datasets.h"

#include "coppice/core/file.h"

#include "tests/support.h"

#include <gmock/gmock.h>
#include <set>

namespace coppice::experiments {
namespace {

using test::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Datasets : public test::Folder {
 protected:
  void SetUp() override {
    Folder::SetUp();
    session.counts = counts_of("small");
    session.counts.convex_rows = 40;
    session.counts.convex_test = 10;
    session.counts.poker_rows = 20;
    session.counts.poker_validation = 6;
    session.counts.poker_test = 4;
    session.work = path("work");
    session.data = path("data");
    std::filesystem::create_directories(session.data);
  }
  /// An idx file of images of two by two pixels, or of labels.
  static std::string idx(std::size_t count, bool images) {
    std::string bytes{0, 0, 8, static_cast<char>(images ? 3 : 1), 0, 0, 0, static_cast<char>(count)};
    if (images) bytes += std::string{0, 0, 0, 2, 0, 0, 0, 2};
    for (std::size_t i = 0; i < count; ++i) bytes += std::string(images ? 4 : 1, static_cast<char>(i));
    return bytes;
  }

  Session session;
};

TEST_F(Datasets, ThePartOfAnIdxFileIsAnIdxFile) {
  EXPECT_EQ(first_items(write("images", idx(9, true)), 3), idx(3, true));
  EXPECT_EQ(first_items(write("labels", idx(9, false)), 3), idx(3, false));
  EXPECT_EQ(first_items(write("few", idx(2, true)), 3), idx(2, true));
  EXPECT_THAT(message_of([&] { first_items(write("cut", idx(9, true).substr(0, 25)), 3); }),
              HasSubstr("cut"));
  EXPECT_THAT(message_of([&] { first_items(write("other", "no idx file at all"), 3); }), HasSubstr("idx"));
}

TEST_F(Datasets, WithoutMnistASentenceSaysWhereToPutIt) {
  session.data = path("nowhere");
  try {
    find_mnist(session);
    FAIL();
  } catch (const MissingData& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("MNIST"), HasSubstr("nowhere/mnist"), HasSubstr("--data")));
  }
}

TEST_F(Datasets, ASmallMnistIsMadeOfTheFirstRows) {
  std::filesystem::create_directories(path("data/mnist"));
  write("data/mnist/train-images-idx3-ubyte", idx(20, true));
  write("data/mnist/train-labels-idx1-ubyte", idx(20, false));
  write("data/mnist/t10k-images-idx3-ubyte", idx(9, true));
  write("data/mnist/t10k-labels-idx1-ubyte", idx(9, false));
  session.counts.mnist_rows = 12;
  session.counts.mnist_test = 5;
  const DataFiles files = find_mnist(session);
  EXPECT_EQ(read_file(files.train + "/train-images-idx3-ubyte"), idx(12, true));
  EXPECT_EQ(read_file(files.train + "/t10k-labels-idx1-ubyte"), idx(5, false));
}

TEST_F(Datasets, ImagesAreGeneratedUnlessTheOriginalFilesAreThere) {
  const DataFiles generated = find_convex(session);
  EXPECT_TRUE(generated.stand_in);
  EXPECT_EQ(generated.made_by.size(), 2U);
  EXPECT_TRUE(std::filesystem::exists(generated.train));
  EXPECT_TRUE(std::filesystem::exists(generated.test));
  EXPECT_EQ(generated.validation, "0.125");
  write("data/convex_train.amat", "0 1 1\n");
  EXPECT_THAT(message_of([&] { find_convex(session); }), HasSubstr("convex_test.amat"));
  std::filesystem::create_directories(path("data/50k"));
  write("data/50k/convex_test.amat", "0 1 1\n");
  const DataFiles original = find_convex(session);
  EXPECT_FALSE(original.stand_in);
  EXPECT_EQ(original.train, path("data/convex_train.amat"));
  EXPECT_EQ(original.test, path("data/50k/convex_test.amat"));
}

/// The lines below the header of a csv file.
std::vector<std::string> hands(const std::string& file) {
  const std::string text = read_file(file);
  EXPECT_TRUE(text.starts_with("x,label\n"));
  std::vector<std::string> lines;
  for (std::size_t at = text.find('\n') + 1; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// The rows of all three files, each once.
std::set<std::string> all_hands(const DataFiles& files) {
  std::set<std::string> rows;
  for (const std::string& file : {files.train, files.validation, files.test}) {
    for (const std::string& hand : hands(file)) EXPECT_TRUE(rows.insert(hand).second) << hand;
  }
  return rows;
}

TEST_F(Datasets, OnesOwnPokerHandsAreSplitOnceAndNoRowIsLost) {
  std::string csv = "x,label\r\n";
  for (int i = 0; i < 30; ++i) csv += fmt::format("{},{}\r\n", i, i % 2);
  write("data/poker.csv", csv);
  const DataFiles files = find_poker(session);
  EXPECT_EQ(hands(files.train).size(), 20U);
  EXPECT_EQ(hands(files.validation).size(), 6U);
  EXPECT_EQ(hands(files.test).size(), 4U);
  EXPECT_EQ(all_hands(files).size(), 30U);
  session.counts.poker_validation = 2;  // the training rows are as many as before, but others
  EXPECT_EQ(all_hands(find_poker(session)).size(), 26U);
  session.counts.poker_rows = 34;
  EXPECT_THAT(message_of([&] { find_poker(session); }),
              AllOf(HasSubstr("30 rows"), HasSubstr("40 are needed")));
}

}  // namespace
}  // namespace coppice::experiments
