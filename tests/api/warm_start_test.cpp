#include "coppice/api/warm_start.h"

#include "coppice/api/train.h"
#include "coppice/model/parts.h"

#include "tests/api/consistent.h"
#include "tests/api/results.h"
#include "tests/api/tables.h"

#include <functional>
#include <gmock/gmock.h>

namespace coppice {
namespace {

using namespace coppice::test;
using ::testing::HasSubstr;

TEST(Train, AWarmStartBeginsWithTheModel) {
  const Ring ring(300);
  Options options = ring_options();
  options.max_epochs = 40;
  const Model before = train(ring.table(), options).model();
  Options warm;
  warm.warm_start = before;
  warm.lambdas = {1e-3};
  warm.max_steps = 0;
  warm.device = Device::cpu;
  const Result same = train(ring.table(), warm);
  expect_consistent(same);
  EXPECT_EQ(same.model().hidden_units(), before.hidden_units());
  EXPECT_EQ(same.model().classes(), before.classes());
  EXPECT_EQ(same.options.target, "label") << "the model settles it";
  EXPECT_EQ(same.options.task, Task::classification);
  EXPECT_EQ(same.options.hidden_layers, before.hidden_units().size());
  const Prediction was = before.predict(ring.table());
  const Prediction is = same.model().predict(ring.table());
  std::size_t changed = 0;
  for (std::size_t i = 0; i < 300; ++i) changed += was.classes[i] != is.classes[i] ? 1 : 0;
  EXPECT_LT(changed, 6U) << "but for CapNorm's numbers it is the same net";
  warm.max_steps.reset();
  warm.max_epochs = 5;
  const Result more = train(ring.table(), warm);
  expect_consistent(more);
  EXPECT_EQ(more.nets[0].epochs, 5U);
  EXPECT_LT(more.nets[0].validation_error, 0.2);
}

TEST(Train, AWarmStartKeepsTheKinksOfTheModel) {
  const Ring ring(300);
  Options options = ring_options();
  options.kinks = 0.8;
  options.max_epochs = 20;
  const Model before = Model::from_bytes(train(ring.table(), options).model().bytes());
  Options warm;
  warm.warm_start = before;
  warm.lambdas = {1e-3};
  warm.max_steps = 0;
  warm.device = Device::cpu;
  const Result same = train(ring.table(), warm);
  EXPECT_EQ(same.options.kinks, 0.8) << "the model settles it";
  const Network<float>& a = before.parts().network;
  const Network<float>& b = same.model().parts().network;
  for (std::size_t l = 0; l < a.layers.size(); ++l) EXPECT_EQ(a.layers[l].kinks, b.layers[l].kinks);
  const Prediction was = before.predict(ring.table());
  const Prediction is = same.model().predict(ring.table());
  std::size_t changed = 0;
  for (std::size_t i = 0; i < 300; ++i) changed += was.classes[i] != is.classes[i] ? 1 : 0;
  EXPECT_LT(changed, 6U) << "but for CapNorm's numbers it is the same net";
  warm.kinks = 0;
  EXPECT_THROW(train(ring.table(), warm), Error);
}

TEST(Train, AWarmStartRefusesWhatContradictsTheModel) {
  const Mixed data(120);
  Options first = mixed_options("word");
  first.lambdas = {1e-2};
  const Model model = train(data.table(), first).model();
  const auto error_of = [&](const Table& table, const std::function<void(Options&)>& change) {
    Options options;
    options.warm_start = model;
    options.max_epochs = 2;
    options.device = Device::cpu;
    change(options);
    try {
      train(table, options);
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "nothing was refused";
    return Error("");
  };
  const std::vector<std::pair<std::string, std::function<void(Options&)>>> contradictions{
      {"target", [](Options& o) { o.target = std::string("level"); }},
      {"task", [](Options& o) { o.task = Task::regression; }},
      {"scale", [](Options& o) { o.scale = Scaling::none; }},
      {"encode", [](Options& o) { o.encode = Encode::bins; }},
      {"hidden-layers", [](Options& o) { o.hidden_layers = 5; }},
      {"activation", [](Options& o) { o.activation = Activation::tanh; }},
      {"norm", [](Options& o) { o.norm = Norm::none; }},
      {"warm-start", [](Options& o) { o.ignore = {"noise"}; }}};
  for (const auto& [name, change] : contradictions) {
    const Error error = error_of(data.table(), change);
    EXPECT_EQ(error.kind(), ErrorKind::bad_option) << error.what();
    EXPECT_EQ(error.place().option, name) << error.what();
    EXPECT_THAT(error.what(), HasSubstr("`warm-start`"));
  }
  Mixed other(120);
  other.word[17] = "huge";
  const Error unknown = error_of(other.table(), [](Options&) {});
  EXPECT_EQ(unknown.kind(), ErrorKind::bad_input);
  EXPECT_EQ(unknown.place().column, "word");
  EXPECT_EQ(unknown.place().row, 17U);
  EXPECT_THAT(unknown.what(), HasSubstr("\"huge\""));
}

}  // namespace
}  // namespace coppice
