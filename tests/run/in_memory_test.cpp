// Runs on tables in memory: the same models as from a file, resumed with the same rows and no others.
#include "coppice/api/train.h"
#include "coppice/core/file.h"
#include "coppice/run/directory.h"
#include "coppice/run/layout.h"
#include "coppice/run/run.h"

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

class InMemory : public Folder {
 protected:
  /// Calls train_in until it ends, a few epochs at a time; how many calls that took.
  std::size_t in_sittings(const std::string& directory, const Table& table, const Options& options,
                          Result& result) const {
    for (std::size_t calls = 1; calls < 100; ++calls) {
      Witness witness;
      try {
        result =
            train_in(path(directory), table, options, &witness, [&] { return witness.epochs.size() >= 5; });
        return calls;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::interrupted) << error.what();
      }
    }
    return 0;
  }
  std::string refusal(const Table& table, const Options& options) const {
    return message_of([&] { train_in(path("run"), table, options); });
  }

  Ring ring_{300};
};

TEST_F(InMemory, LeavesWhatAFileLeaves) {
  const Mixed mixed(200);
  for (const char* target : {"word", "value"}) {
    Options options = mixed_options(target);
    options.test = 0.2;
    const std::string of_file = fmt::format("file-{}", target), of_table = fmt::format("table-{}", target);
    train_in(path(of_file), DataPaths{.data = write("d.csv", mixed.csv())}, options);
    const Result result = train_in(path(of_table), mixed.table(), options);
    EXPECT_EQ(bytes_of(result), bytes_of(train(mixed.table(), options)));
    std::size_t models = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path(of_file))) {
      const std::filesystem::path name = std::filesystem::relative(entry.path(), path(of_file));
      ASSERT_TRUE(std::filesystem::exists(path(of_table) / name)) << name;
      if (name.extension() != layout::model_ending) continue;
      EXPECT_EQ(read_file(entry.path()), read_file(path(of_table) / name)) << name;
      ++models;
    }
    EXPECT_EQ(models, 3U);
    const auto analysis = read_json(layout::in(path(of_table), layout::analysis));
    auto expected = read_json(layout::in(path(of_file), layout::analysis));
    expected["data"]["file"] = nullptr;
    EXPECT_TRUE(analysis == expected) << "it would fill pages";
  }
}

TEST_F(InMemory, GoesOnWithTheSameRows) {
  Options options = ring_options();
  options.max_epochs = 60;
  options.lambdas = {1e-2, 1e-3};
  options.validation = ring_table(100, 2);
  options.test = std::vector<std::uint32_t>{1, 5, 9};
  const auto whole = bytes_of(train(ring_.table(), options));
  Result result;
  EXPECT_GT(in_sittings("run", ring_.table(), options, result), 1U);
  EXPECT_EQ(bytes_of(result), whole);
  EXPECT_EQ(bytes_of(train_in(path("run"), ring_.table(), options)), whole) << "and again when all is there";
}

/// The rows are what counts, not how they were handed in.
TEST_F(InMemory, GoesOnWithTheSameRowsAsAMatrix) {
  std::vector<float> values;
  for (std::size_t i = 0; i < ring_.label.size(); ++i)
    values.insert(values.end(), {ring_.x0[i], ring_.x1[i], static_cast<float>(ring_.label[i])});
  const View<const float> view{.data = values.data(), .rows = ring_.label.size(), .cols = 3, .stride = 3};
  Table columns;
  columns.add_numbers("x0", ring_.x0);
  columns.add_numbers("x1", ring_.x1);
  columns.add_numbers("label", std::vector<float>(ring_.label.begin(), ring_.label.end()));
  const auto bytes = bytes_of(train_in(path("run"), columns, ring_options()));
  EXPECT_EQ(bytes_of(train_in(path("run"), Table::matrix(view, {"x0", "x1", "label"}), ring_options())),
            bytes);
  values[7] += 1e-4F;
  EXPECT_THAT(refusal(Table::matrix(view, {"x0", "x1", "label"}), ring_options()),
              HasSubstr("are not those"));
}

TEST_F(InMemory, OtherRowsAreRefused) {
  Options options = ring_options();
  options.validation = ring_table(100, 2);
  options.test = std::vector<std::uint32_t>{1, 5, 9};
  train_in(path("run"), ring_.table(), options);
  Ring other = ring_;
  other.label[17] ^= 1;
  EXPECT_THAT(
      refusal(other.table(), options),
      AllOf(HasSubstr(path("run")), HasSubstr("rows of the table are not those"), HasSubstr("start a new")));
  options.validation = ring_table(100, 3);
  EXPECT_THAT(refusal(ring_.table(), options), HasSubstr("validation rows are not those"));
  options.validation = {};
  EXPECT_THAT(refusal(ring_.table(), options), HasSubstr("validation rows are not those"));
  options.validation = ring_table(100, 2);
  options.test = std::vector<std::uint32_t>{1, 5};
  EXPECT_THAT(refusal(ring_.table(), options), HasSubstr("test rows are not those"));
  options.test = std::vector<std::uint32_t>{1, 5, 9};
  options.seed = 4;
  EXPECT_THAT(refusal(ring_.table(), options), HasSubstr("`seed`"));
}

TEST_F(InMemory, OtherModelsToBeginWithAreRefused) {
  Options options;
  options.lambdas = {1e-3};
  options.max_epochs = 3;
  options.warm_start = train(ring_.table(), ring_options()).model();
  const auto bytes = bytes_of(train_in(path("run"), ring_.table(), options));
  EXPECT_EQ(bytes_of(train_in(path("run"), ring_.table(), options)), bytes);
  Options others = ring_options();
  others.max_epochs = 13;
  options.warm_start = train(ring_table(300, 2), others).model();
  EXPECT_THAT(refusal(ring_.table(), options), HasSubstr("weights to begin with are not those"));
}

/// Where the data is not, nobody can go on.
TEST_F(InMemory, FilesAndTablesAreNotMixed) {
  const DataPaths paths{.data = write("d.csv", ring_.csv())};
  train_in(path("run"), ring_.table(), ring_options());
  for (const std::string& text : {message_of([&] { Run::resume(path("run"), [](RunOptions&) {}); }),
                                  message_of([&] { train_in(path("run"), paths, ring_options()); })})
    EXPECT_THAT(text, AllOf(HasSubstr("`resume` " + path("run")), HasSubstr("was a table in memory"),
                            HasSubstr("with the same table: train_in")));
  RunOptions on_file;
  on_file.data = paths.data;
  on_file.options = ring_options();
  EXPECT_THAT(message_of([&] { Run::create(on_file, path("run")); }), HasSubstr("resume it with that table"));
  train_in(path("file"), paths, ring_options());
  EXPECT_THAT(message_of([&] { train_in(path("file"), ring_.table(), ring_options()); }),
              HasSubstr("the data was a file"));
}

}  // namespace
}  // namespace coppice
