#include "coppice/run/directory.h"

#include "coppice/api/train.h"
#include "coppice/core/file.h"

#include "tests/api/results.h"
#include "tests/api/tables.h"
#include "tests/support.h"

#include <filesystem>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Directory : public Folder {
 protected:
  DataPaths paths() const { return {.data = write("d.csv", ring_.csv())}; }

  Ring ring_{300};
};

TEST_F(Directory, TrainsWhatTrainDoes) {
  Options options = ring_options();
  options.test = 0.2;
  const Result there = train_in(path("run"), paths(), options);
  const Result here = train(ring_.table(), options);
  EXPECT_EQ(bytes_of(there), bytes_of(here));
  const Summary summary = read_summary(path("run"));
  ASSERT_EQ(summary.nets.size(), 1U);
  EXPECT_EQ(summary.nets[0].validation_error, here.nets[0].validation_error);
  EXPECT_EQ(summary.nets[0].test_error, here.nets[0].test_error);
  EXPECT_EQ(summary.chosen, here.chosen);
}

TEST_F(Directory, TheSameCallGoesOn) {
  Options options = ring_options();
  options.max_epochs = 60;
  options.lambdas = {1e-2, 1e-3};
  const auto whole = bytes_of(train(ring_.table(), options));
  std::size_t calls = 0;
  for (bool ended = false; !ended && calls < 100; ++calls) {
    Witness witness;
    try {
      const Result result =
          train_in(path("run"), paths(), options, &witness, [&] { return witness.epochs.size() >= 5; });
      EXPECT_EQ(bytes_of(result), whole);
      ended = true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::interrupted) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(path("run")));
    }
    if (calls == 0) {
      EXPECT_FALSE(ended);
    }
  }
  EXPECT_EQ(bytes_of(train_in(path("run"), paths(), options)), whole) << "and again when all is there";
  options.lambdas = {1e-2};
  EXPECT_THAT(message_of([&] { train_in(path("run"), paths(), options); }), HasSubstr("`lambda`"));
}

TEST_F(Directory, SearchesWhatSearchDoes) {
  Options options = ring_options();
  options.lambdas.clear();
  SearchSpace space;
  space.trials = 5;  // sizes: from the rows
  const SearchResult here = search(ring_.table(), space, options);
  struct Count final : SearchObserver {
    void on_result(const TrialResult&) override { ++results; }
    std::size_t results = 0;
  };
  bool ended = false;
  std::size_t calls = 0;
  for (; !ended && calls < 50; ++calls) {
    Count count;
    try {
      const SearchResult there =
          search_in(path("s"), paths(), space, options, &count, [&] { return count.results >= 1; });
      EXPECT_EQ(there.model->bytes(), here.model->bytes());
      ended = true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::interrupted) << error.what();
    }
  }
  ASSERT_TRUE(ended);
  EXPECT_GT(calls, 1U);
  EXPECT_EQ(read_trials(path("s")).size(), 5U);
  space.norms = {Norm::none};
  EXPECT_THAT(message_of([&] { search_in(path("s"), paths(), space, options); }), HasSubstr("`norms`"));
}

/// What a directory's configuration cannot hold would be lost for who goes on with it.
TEST_F(Directory, RowsAndModelsMustLieInFiles) {
  const auto refusal = [&](const std::function<void(Options&)>& change) {
    Options options = ring_options();
    change(options);
    std::string text;
    try {
      train_in(path("run"), paths(), options);
      ADD_FAILURE() << "taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_option) << error.what();
      text = error.place().option + ": " + error.what();
    }
    EXPECT_FALSE(std::filesystem::exists(path("run")));
    return text;
  };
  EXPECT_THAT(refusal([](Options& o) {
                o.validation = std::vector<std::uint32_t>{1, 2};
              }),
              AllOf(HasSubstr("validation: "), HasSubstr("file")));
  EXPECT_THAT(refusal([&](Options& o) { o.test = ring_.table(); }),
              AllOf(HasSubstr("test: "), HasSubstr("file")));
  const Model model = train(ring_.table(), ring_options()).model();
  EXPECT_THAT(refusal([&](Options& o) {
                o = {};
                o.warm_start = model;
              }),
              AllOf(HasSubstr("warm-start: "), HasSubstr("file")));
}

}  // namespace
}  // namespace coppice
