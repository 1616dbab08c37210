#include "coppice/api/prepare.h"

#include "tests/api/prepared.h"
#include "tests/api/tables.h"
#include "tests/support.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Prepare, ATenthValidatesAndTheBatchSizeFits) {
  Options single = options_for_y();
  single.ensemble = 1;
  single.distil = Distil::off;
  const auto [prepared, complete, variants, lessons] = prepare(table(6000), single);
  EXPECT_EQ(prepared.net_data(0).validation_rows.size(), 600U);
  EXPECT_EQ(complete.batch_size, 108U);
  EXPECT_FALSE(prepared.has_test());
  Options asked = options_for_y();
  asked.batch_size = 7;
  EXPECT_EQ(prepare(table(6000), asked).options.batch_size, 7U) << "the user's own stays";
}

TEST(Prepare, TablesAreScaledByColumnFromTrainingRowsOnly) {
  Options options = options_for_y();
  options.test = 0.5;
  const auto [prepared, complete, variants, lessons] = prepare(table(600), options);
  EXPECT_EQ(prepared.encoding.scaling, Scaling::column);
  EXPECT_EQ(complete.scale, Scaling::column);
  for (std::size_t k = 0; k < 2; ++k) {
    double mean = 0;
    double squares = 0;
    for (const std::uint32_t row : prepared.rows) {
      mean += prepared.train.inputs(row, k) / 300.0;
      squares += std::pow(prepared.train.inputs(row, k), 2) / 300.0;
    }
    EXPECT_NEAR(mean, 0, 1e-5);
    EXPECT_NEAR(squares, 1, 1e-5);
  }
  options = options_for_y();
  options.scale = Scaling::none;
  EXPECT_EQ(prepare(table(600), options).data.train.inputs(5, 0), 5.0F);
}

TEST(Prepare, ThePapersEffortStandardisesTablesAndSquashesNothing) {
  Options options = options_for_y();
  EXPECT_TRUE(prepare(table(600), options).data.encoding.columns[0].squash.used());
  options.effort = Effort::paper;
  const auto [prepared, complete, variants, lessons] = prepare(table(600), options);
  EXPECT_EQ(prepared.encoding.scaling, Scaling::standard);
  EXPECT_EQ(complete.scale, Scaling::standard);
  EXPECT_FALSE(prepared.encoding.columns[0].squash.used());
  options.scale = Scaling::column;
  EXPECT_TRUE(prepare(table(600), options).data.encoding.columns[0].squash.used());
  Table images = table(50);
  images.set_image(1, 2);
  EXPECT_EQ(prepare(images,
                    [] {
                      Options paper = options_for_y();
                      paper.effort = Effort::paper;
                      return paper;
                    }())
                .options.scale,
            Scaling::global);
}

TEST(Prepare, BinsAreMadeWhereTheyAreAskedFor) {
  Options options = options_for_y();
  const Prepared compared = prepare(table(600), options);
  EXPECT_EQ(compared.options.encode, Encode::automatic);
  EXPECT_TRUE(compared.data.encoding.has_bins());
  ASSERT_TRUE(compared.data.plain) << "both, to be compared";
  EXPECT_FALSE(compared.data.plain->encoding.has_bins());
  EXPECT_EQ(compared.data.plain->train.inputs.cols(), compared.data.plain->encoding.inputs());
  options.encode = Encode::plain;
  EXPECT_FALSE(prepare(table(600), options).data.encoding.has_bins());
  options.encode = Encode::bins;
  EXPECT_TRUE(prepare(table(600), options).data.encoding.has_bins());
  EXPECT_FALSE(prepare(table(600), options).data.plain);
  options.encode.reset();
  options.lambdas = {1e-3};
  EXPECT_FALSE(prepare(table(600), options).data.encoding.has_bins())
      << "whoever names lambdas wants plain nets";
}

TEST(Prepare, FoldsOfAnEnsembleCoverTheRowsAndHaveEveryClass) {
  Options options = options_for_y();
  options.test = 0.1;
  options.ensemble = 5;
  const PreparedData data = prepare(table(600), options).data;
  EXPECT_EQ(data.folds, 5U);
  std::vector<std::size_t> seen(600);
  for (std::size_t fold = 0; fold < 5; ++fold) {
    const NetData net = data.net_data(fold, {.plain = fold % 2 == 0, .fold = fold});
    EXPECT_EQ(net.train, fold % 2 == 0 ? &data.plain->train : &data.train);
    EXPECT_EQ(net.train_rows.size() + net.validation_rows.size(), 540U);
    EXPECT_EQ(net.validation_rows.size(), 108U);
    EXPECT_NEAR(share(data.train, net.validation_rows, 0), share(data.train, data.rows, 0), 0.01);
    for (const std::uint32_t row : net.validation_rows) ++seen[row];
    for (const std::uint32_t row : net.train_rows) EXPECT_EQ(std::ranges::count(net.validation_rows, row), 0);
  }
  EXPECT_EQ(std::ranges::count(seen, 1U), 540) << "every row validates once";
  EXPECT_EQ(data.train_count(), 432U);
  EXPECT_EQ(data.validation_count(), 108U);
}

TEST(Prepare, EnsemblesAreForTablesOfWhichNothingElseIsAsked) {
  const auto folds = [](const std::function<void(Options&)>& change, std::size_t rows = 600) {
    Options options = options_for_y();
    change(options);
    return prepare(table(rows), options).data.folds;
  };
  EXPECT_EQ(folds([](Options&) {}), 10U);
  EXPECT_EQ(folds([](Options&) {}, 199), 5U);
  EXPECT_EQ(folds([](Options&) {}, 5001), 5U);
  EXPECT_EQ(folds([](Options& o) { o.ensemble = 3; }), 3U);
  EXPECT_EQ(folds([](Options& o) {
              o.ensemble = 1;
              o.distil = Distil::off;
            }),
            0U);
  EXPECT_EQ(folds([](Options& o) { o.ensemble = 1; }), 10U) << "of those that teach one";
  EXPECT_EQ(folds([](Options&) {}, 39), 0U) << "too few rows";
  EXPECT_EQ(folds([](Options& o) { o.validation = 0.2; }), 0U);
  EXPECT_EQ(folds([](Options& o) { o.lambdas = {1e-3}; }), 0U);
  EXPECT_EQ(folds([](Options& o) { o.seeds = 2; }), 0U);
  EXPECT_EQ(folds([](Options& o) { o.max_parameters = 100; }), 0U);
  EXPECT_EQ(folds([](Options& o) { o.effort = Effort::paper; }), 0U);
  EXPECT_EQ(folds([](Options& o) {
              o.lambdas = {1e-3};
              o.ensemble = 4;
            }),
            4U)
      << "what is asked for is done";
}

TEST(Prepare, ImagesAreScaledTogether) {
  Table images = table(50);
  images.set_image(1, 2);
  const auto [prepared, complete, variants, lessons] = prepare(images, options_for_y());
  EXPECT_EQ(prepared.encoding.scaling, Scaling::global);
  EXPECT_EQ(complete.scale, Scaling::global);
  EXPECT_TRUE(prepared.images());
  EXPECT_FALSE(prepare(table(50), options_for_y()).data.images());
}

TEST(Prepare, IdsComeBackAsTheyStand) {
  Table known;
  known.add_texts("id", std::vector<std::string>{"x1", "007", "x3"});
  known.add_numbers("a", std::vector<int>{1, 2, 3});
  known.add_texts("y", std::vector<std::string>{"p", "q", "p"});
  Options options = options_for_y();
  options.ids = {"id"};
  const PreparedData prepared = prepare(known, options).data;
  Table other;
  other.add_numbers("a", std::vector<int>{5, 6});
  other.add_texts("id", std::vector<std::string>{"0042", ""});
  const IdColumns ids = id_columns(other, prepared.encoding);
  EXPECT_THAT(ids.names, ElementsAre("id"));
  EXPECT_THAT(ids.texts[0], ElementsAre("0042", ""));
  std::vector<std::string> warnings;
  EXPECT_EQ(encode(other, prepared.encoding, false, warnings).rows(), 2U);
}

TEST(Prepare, ACheckThatThrowsEndsIt) {
  for (int calls = 1; calls <= 4; ++calls) {
    int left = calls;
    const auto check = [&] {
      if (--left == 0) fail_as(ErrorKind::interrupted, "enough");
    };
    EXPECT_EQ(message_of([&] { prepare(table(50), options_for_y(), check); }), "enough") << calls;
  }
}

TEST(Prepare, TheInputIsLeftAlone) {
  const Options options = options_for_y();
  const Table data = table(50);
  prepare(data, options);
  EXPECT_FALSE(options.task || options.scale || options.batch_size || options.seed);
  EXPECT_EQ(data.rows(), 50U);
  EXPECT_EQ(data.columns(), 3U);
}

TEST(Prepare, MistakesInTheDataNameColumnAndRow) {
  const auto error_of = [](const Table& data, const Options& options) {
    try {
      prepare(data, options);
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "nothing was refused";
    return Error("");
  };
  Table unlabelled;
  unlabelled.add_numbers("a", std::vector<int>{1, 2, 3});
  unlabelled.add_texts("y", std::vector<std::string>{"p", "q", ""});
  const Error missing = error_of(unlabelled, options_for_y());
  EXPECT_EQ(missing.kind(), ErrorKind::bad_input);
  EXPECT_EQ(missing.place().column, "y");
  EXPECT_EQ(missing.place().row, 2U);

  Options unknown = options_for_y();
  unknown.target = std::string("z");
  const Error no_column = error_of(table(50), unknown);
  EXPECT_THAT(no_column.what(), HasSubstr("\"z\""));
  EXPECT_EQ(no_column.kind(), ErrorKind::bad_option);
  EXPECT_EQ(no_column.place().option, "target");

  Table validation = table(3);
  Table text_for_number;
  text_for_number.add_texts("a", std::vector<std::string>{"1", "two", "3"});
  text_for_number.add_numbers("b", std::vector<int>{1, 2, 3});
  text_for_number.add_texts("y", std::vector<std::string>{"rare", "usual", "usual"});
  Options options = options_for_y();
  options.validation = text_for_number;
  const Error stray = error_of(table(50), options);
  EXPECT_EQ(stray.kind(), ErrorKind::bad_input);
  EXPECT_EQ(stray.place().column, "a");
  EXPECT_EQ(stray.place().row, 1U);
}

}  // namespace
}  // namespace coppice
