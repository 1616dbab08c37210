#include "tests/cli/program.h"

#include <gmock/gmock.h>

namespace coppice::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A quick model of a ring, run/model.coppice.
class Export : public Program {
 protected:
  void train() const {
    write("ring.csv", ring_csv(300));
    ok({"train", "ring.csv", "--target", "label", "--effort", "quick", "--lambda", "1e-3", "--max-epochs",
        "5", "-o", "run"});
  }
};

TEST_F(Export, WritesToAFileOrToStandardOutput) {
  train();
  const Outcome printed = ok({"export", "run", "--to", "json"});
  EXPECT_EQ(printed.json().at("target"), "label");
  ok({"export", "run/model.coppice", "--to", "json", "-o", "ring.json"});
  EXPECT_EQ(read("ring.json"), printed.out);
  ok({"export", "run", "--to", "c", "-o", "ring.h"});
  EXPECT_THAT(read("ring.h"), HasSubstr("int ring_predict(const float *row, float *out)"));
  EXPECT_THAT(ok({"export", "run", "--to", "c"}).out, HasSubstr("int model_predict("));
  EXPECT_THAT(ok({"export", "run", "--to", "c", "--name", "disc"}).out, HasSubstr("int disc_predict("));
  ok({"export", "run", "--to", "c", "-o", "2 rings.h"});
  EXPECT_THAT(read("2 rings.h"), HasSubstr("int model_predict("));
}

TEST_F(Export, InEightBits) {
  train();
  const std::string header = ok({"export", "run", "--to", "c", "--int8", "--calibrate", "ring.csv"}).out;
  EXPECT_THAT(header, HasSubstr("on the 300 rows it was calibrated with"));
  EXPECT_THAT(header, HasSubstr("error there: "));
  EXPECT_EQ(header, ok({"export", "run", "--to", "c", "--int8", "--calibrate", "ring.csv"}).out);
}

TEST_F(Export, AsAGraph) {
  train();
  const std::string graph = ok({"export", "run", "--to", "onnx"}).out;
  EXPECT_THAT(graph, HasSubstr("probabilities"));
  ok({"export", "run", "--to", "onnx", "--onnx-inputs", "columns", "--onnx-texts", "strings", "-o",
      "ring.onnx"});
  EXPECT_EQ(read("ring.onnx"), graph);
  EXPECT_NE(ok({"export", "run", "--to", "onnx", "--onnx-inputs", "matrix"}).out, graph);
}

TEST_F(Export, MistakesLeaveNothingBehind) {
  train();
  refused({"export", "run"}, {"--to"});
  refused({"export", "run", "--to", "fortran", "-o", "x"}, {"--to \"fortran\"", "json, c, onnx"});
  refused({"export", "none", "--to", "json", "-o", "x"}, {"none"});
  refused({"export", "run", "--to", "json", "-o", "run/model.coppice"}, {"overwrite the model"});
  refused({"export", "run", "--to", "json", "-o", "run/summary.json"}, {"run/summary.json"});
  refused({"export", "run", "--to", "c", "--name", "my net", "-o", "x"},
          {"--name \"my net\"", "begin with a letter"});
  refused({"export", "run", "--to", "onnx", "--name", "net", "-o", "x"}, {"--name: only an export to c"});
  refused({"export", "run", "--to", "c", "--int8", "-o", "x"}, {"--int8", "--calibrate"});
  refused({"export", "run", "--to", "c", "--calibrate", "ring.csv", "-o", "x"},
          {"--calibrate is for --int8"});
  refused({"export", "run", "--to", "json", "--int8", "-o", "x"}, {"--int8 is for c"});
  refused({"export", "run", "--to", "json", "--onnx-inputs", "matrix", "-o", "x"}, {"--onnx-inputs: only"});
  refused({"export", "run", "--to", "onnx", "--onnx-inputs", "rows", "-o", "x"},
          {"\"rows\"", "columns or matrix"});
  refused({"export", "run", "--to", "onnx", "--onnx-texts", "words", "-o", "x"},
          {"\"words\"", "strings or codes"});
  refused({"export", "run", "--to", "onnx", "--onnx-opset", "11", "-o", "x"},
          {"--onnx-opset 11", "give one from 13 to 17, or export to c"});
  refused({"export", "run", "--to", "onnx", "--onnx-opset", "99", "-o", "x"},
          {"--onnx-opset 99", "up to opset 17"});
  refused({"export", "run", "--to", "onnx", "--onnx-opset", "old", "-o", "x"}, {"--onnx-opset", "old"});
  refused({"export", "run", "--to", "c", "--onnx-opset", "13", "-o", "x"}, {"--onnx-opset: only"});
  write("other.csv", "a,b\n1,2\n");
  refused({"export", "run", "--to", "c", "--int8", "--calibrate", "other.csv", "-o", "x"}, {"x0", "x1"});
}

TEST_F(Export, InspectSaysWhatAHeaderTakes) {
  train();
  const Json taken = ok({"inspect", "run/model.coppice", "--json"}).json().at("c_header");
  const std::string header = ok({"export", "run", "--to", "c"}).out;
  EXPECT_THAT(header, HasSubstr("flash: " + std::to_string(taken.at("flash").get<int>()) + " bytes"));
  EXPECT_THAT(header, HasSubstr(std::to_string(taken.at("multiplications").get<int>()) + " multiplications"));
  EXPECT_LT(taken.at("int8_flash").get<int>(), taken.at("flash").get<int>());
  EXPECT_LT(taken.at("int8_ram").get<int>(), taken.at("ram").get<int>());
  const std::string shown = ok({"inspect", "run/model.coppice"}).out;
  EXPECT_THAT(shown, HasSubstr("as a C header"));
  EXPECT_THAT(shown, HasSubstr("microseconds for a row that is predicted alone, on this machine"));
  EXPECT_GT(ok({"inspect", "run", "--json", "--latency"}).json().at("latency_us").get<double>(), 0);
  EXPECT_FALSE(ok({"inspect", "run/model.coppice", "--json"}).json().contains("latency_us"))
      << "the same model prints the same";
}

}  // namespace
}  // namespace coppice::test
