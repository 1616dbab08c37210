// fuzz_seeds FOLDER: writes small files of the binary formats into FOLDER/NAME, for fuzzers to begin with.
#include "coppice/core/file.h"
#include "coppice/model/parts.h"
#include "coppice/run/checkpoint.h"

#include "tests/fuzz/nets.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <zlib.h>

namespace {

using namespace coppice;

class Folder {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) {}
  void write(const std::string& parser, const std::string& name, std::string_view bytes) const {
    std::filesystem::create_directories(path_ + "/" + parser);
    write_file(fmt::format("{}/{}/{}", path_, parser, name), bytes);
  }

 private:
  std::string path_;
};

Matrix<float> filled(std::size_t rows, std::size_t cols, float value) {
  Matrix<float> matrix(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) std::ranges::fill(matrix.row(i), value);
  return matrix;
}

/// As small as a model can be, with what else its file may hold.
ModelParts small_model(Task task) {
  ModelParts model;
  model.encoding.task = task;
  model.encoding.scaling = Scaling::column;
  model.encoding.ids = {"id"};
  model.encoding.unused = {"u"};
  model.encoding.columns = {
      {.name = "a",
       .kind = ColumnKind::number,
       .fill = 1,
       .indicator = true,
       .categories = {},
       .squash = {.median = 1, .factor = 2, .limit = 3}},
      {.name = "b", .kind = ColumnKind::text, .fill = 0, .indicator = false, .categories = {"", "x"}}};
  model.encoding.target = {.name = "t", .classes = {}, .mean = 1, .deviation = 2};
  if (task == Task::classification) model.encoding.target.classes = {"p", "q"};
  std::size_t inputs = 0;
  for (const InputColumn& column : model.encoding.columns) inputs += column.width();
  const std::size_t outputs = task == Task::classification ? 2 : 1;
  model.encoding.offset.resize(inputs, 0.5F);
  model.encoding.factor.resize(inputs, 2);
  std::size_t below = inputs;
  for (const std::size_t units : {std::size_t{2}, outputs}) {
    model.network.layers.push_back({filled(units, below, 0.25F), std::vector<std::uint32_t>(units)});
    model.statistics.mean.emplace_back(units, 0.125F);
    model.statistics.divisor.emplace_back(units, 1.5F);
    below = units;
  }
  model.temperature = 0.5;
  model.origin.version = "0";
  model.origin.optimizer = "adarad";
  model.origin.phase = "done";
  return model;
}

void write_models(const Folder& folder) {
  ModelParts model = small_model(Task::classification);
  folder.write("model", "classes", model_bytes(model));
  model.network.offset = {-1, 1};
  model.conformity = {.rows = 3, .scores = std::vector<double>(kept_ranks(3).size(), 0.5)};
  folder.write("model", "conformity", model_bytes(model));
  model.others.push_back(model);
  model.others.push_back(model);
  folder.write("model", "ensemble", model_bytes(model));
  ModelParts plain = small_model(Task::classification);
  plain.encoding.scaling = Scaling::standard;
  plain.encoding.columns[0].squash = {};
  folder.write("model", "first-version", model_bytes(plain));
  plain.network.norm = Norm::batchnorm_affine;
  plain.network.output_capnorm = false;
  plain.network.layers[0].affine = filled(2, 2, 1);
  folder.write("model", "affine", model_bytes(plain));
  ModelParts number = small_model(Task::regression);
  number.encoding.target.transform = TargetTransform::log;
  number.encoding.target.spread = 0.25;
  number.encoding.derived = {{.source = "d", .kind = DerivedKind::date, .origin = 100},
                             {.source = "o", .kind = DerivedKind::rank, .order = {"low", "high"}}};
  number.origin.test_error = 0.25;
  folder.write("model", "number", model_bytes(number));
  number.conformity = {.rows = 3, .scores = std::vector<double>(kept_ranks(3).size(), 0.5)};
  number.conformity.answers = {-1, 1};
  number.conformity.errors = {0.5, 1};
  folder.write("model", "interval", model_bytes(number));
}

void write_checkpoints(const Folder& folder) {
  const fuzz::StartedNets nets;
  for (std::size_t which = 0; which < nets.size(); ++which) {
    for (const int epochs : {0, 4}) {
      const char first = static_cast<char>(which);
      folder.write("checkpoint", fmt::format("net{}-{}", which, epochs),
                   first + checkpoint_bytes(nets.trained(which, epochs)));
    }
  }
}

std::string packed(std::string_view bytes, int level) {
  z_stream stream{};
  deflateInit2(&stream, level, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(bytes.size() + 200, '\0');
  stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<unsigned>(bytes.size());
  stream.next_out = reinterpret_cast<unsigned char*>(out.data());
  stream.avail_out = static_cast<unsigned>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

void write_packed(const Folder& folder) {
  const std::string text = "a,b\n1,2\n3,4\n";
  folder.write("gzip", "plain", text);
  folder.write("gzip", "stored", packed(text, 0));
  folder.write("gzip", "two-members", packed(text, 9) + packed(text, 1));
  folder.write("gzip", "rest", packed(text, 9) + "rest");
  folder.write("gzip", "long", packed(std::string(100'000, 'x'), 9));
}

std::string idx_file(std::initializer_list<int> sizes, std::string_view values) {
  std::string bytes{'\0', '\0', '\x08', static_cast<char>(sizes.size())};
  for (const int size : sizes) bytes += {'\0', '\0', '\0', static_cast<char>(size)};
  return bytes.append(values);
}

void write_images(const Folder& folder) {
  const std::string labels = idx_file({2}, std::string("\1\0", 2));
  const auto with = [](std::size_t label_bytes) { return std::string{static_cast<char>(label_bytes), '\0'}; };
  folder.write("idx", "images", with(0) + idx_file({2, 2, 3}, "abcdefghijkl"));
  folder.write("idx", "rows", with(0) + idx_file({3, 1}, "abc"));
  folder.write("idx", "with-labels", with(labels.size()) + idx_file({2, 2, 2}, "abcdefgh") + labels);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: fuzz_seeds FOLDER\n");
    return 2;
  }
  const Folder folder(arguments[1]);
  write_models(folder);
  write_checkpoints(folder);
  write_packed(folder);
  write_images(folder);
}
