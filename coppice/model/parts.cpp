#include "coppice/model/parts.h"

#include "coppice/core/bytes.h"
#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/model/header.h"
#include "coppice/model/parse_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace coppice {

namespace {

constexpr std::string_view magic = "COPPICE\n";
// The checksum does not cover the version, so no bit that flips may make one of another: these are all.
constexpr std::array<std::uint32_t, 5> format_versions{1, 2, 4, 7, 8};
constexpr std::uint32_t squashed_since = 4;
constexpr std::uint32_t several_nets_since = 7;
constexpr std::uint32_t bases_since = 8;
// magic, version, checksum of all that follows it, size of the header
constexpr std::size_t checksum_at = 12;
constexpr std::size_t header_at = 24;
constexpr std::size_t alignment = 64;

/// Calls f on every tensor in the order of the file.
template <class M, class F>
void for_tensors(M& model, const F& f) {
  f(std::span(model.encoding.offset));
  f(std::span(model.encoding.factor));
  for (std::size_t n = 0; n < model.nets(); ++n) {
    auto& net = model.net(n);
    for (std::size_t l = 0; l < net.network.layers.size(); ++l) {
      auto& weights = net.network.layers[l].weights;
      for (std::size_t j = 0; j < weights.rows(); ++j) f(weights.row(j));
      f(std::span(net.statistics.mean[l]));
      f(std::span(net.statistics.divisor[l]));
      auto& affine = net.network.layers[l].affine;
      for (std::size_t j = 0; j < affine.rows(); ++j) f(affine.row(j));
    }
    f(std::span(net.network.offset));
  }
}

/// The earliest version that has all there is in the model, so that older programs read what they can.
std::uint32_t version_of(const ModelParts& model) {
  const auto has_base = [](const InputColumn& column) { return column.base != 0; };
  if (std::ranges::any_of(model.encoding.columns, has_base)) return bases_since;
  if (model.nets() > 1) return several_nets_since;
  if (model.encoding.scaling == Scaling::column || model.encoding.has_bins() ||
      !model.encoding.derived.empty() || model.encoding.target.transform != TargetTransform::none)
    return squashed_since;
  return model.network.norm == Norm::batchnorm_affine ? 2 : 1;
}

/// Before version 4 numbers were not squashed, and `column` was what `standard` is now.
nlohmann::json header_of(const ModelParts& model) {
  nlohmann::json header = model_header(model);
  if (version_of(model) < squashed_since && model.encoding.scaling == Scaling::standard)
    header["encoding"]["scale"] = name_of(Scaling::column);
  return header;
}

/// A checksum says that a file is as it was written, not that its numbers make sense: scores of a network with these would
/// be no numbers, or no better than that.
void require_numbers(const ModelParts& model, const std::string& name) {
  const auto finite = [](float value) { return std::isfinite(value); };
  bool all_finite = std::isfinite(model.temperature);
  for (const InputColumn& column : model.encoding.columns) {
    all_finite = all_finite && std::isfinite(column.base) && finite(column.fill) &&
                 finite(column.squash.median) && finite(column.squash.factor) &&
                 finite(column.squash.limit) && std::ranges::all_of(column.edges, finite);
  }
  for_tensors(model, [&](std::span<const float> values) {
    all_finite = all_finite && std::ranges::all_of(values, finite);
  });
  if (!all_finite) {
    fail("{}: the model holds weights that are no finite numbers, as nets that diverged do; use another one",
         name);
  }
  for (std::size_t n = 0; n < model.nets(); ++n) {
    for (const std::vector<float>& divisors : model.net(n).statistics.divisor) {
      if (std::ranges::any_of(divisors, [](float divisor) { return divisor <= 0; }))
        fail("{}: the model divides by numbers that are not positive; use an intact copy", name);
    }
  }
}

}  // namespace

std::string model_bytes(const ModelParts& model) {
  std::string header = header_of(model).dump();
  header.resize((header_at + header.size() + alignment - 1) / alignment * alignment - header_at, ' ');
  ByteWriter body;
  body.put<std::uint64_t>(header.size());
  body.bytes() += header;
  for_tensors(model, [&](std::span<const float> values) { body.put_all(values); });
  ByteWriter file;
  file.bytes() += magic;
  file.put(version_of(model));
  file.put(checksum(body.bytes()));
  file.bytes() += body.bytes();
  return std::move(file.bytes());
}

namespace {

/// The bytes may be the first few of a file.
void require_magic(std::string_view bytes, const std::string& name) {
  if (!bytes.starts_with(magic.substr(0, std::min(bytes.size(), magic.size())))) {
    fail("{}: is not a coppice model file; give the .coppice file that train wrote", name);
  }
}

}  // namespace

std::string read_model_file(const std::string& path) {
  require_file(path, "model");
  require_magic(read_file(path, magic.size()), path);
  return read_file(path);
}

ModelParts parse_model(std::string_view bytes, const std::string& name) {
  require_magic(bytes, name);
  ByteReader start(bytes.substr(std::min(bytes.size(), magic.size())), name);
  const auto version = start.get<std::uint32_t>();
  if (version > format_versions.back()) {
    fail("{}: the model has format version {}, this coppice reads up to {}; use a newer coppice", name,
         version, format_versions.back());
  }
  if (std::ranges::find(format_versions, version) == format_versions.end()) start.truncated();
  const auto sum = start.get<std::uint32_t>();
  if (bytes.size() < header_at || checksum(bytes.substr(checksum_at + 4)) != sum) start.truncated();
  const auto header_size = start.get<std::uint64_t>();
  if (header_size > start.left() || (start.left() - header_size) % sizeof(float) != 0) start.truncated();
  const std::string_view header = bytes.substr(header_at, header_size);
  ByteReader tensors(bytes.substr(header_at + header_size), name);
  try {
    const auto parsed = parse_json(header);
    if (!parsed.mistake.empty())
      fail("{}: the model file's header cannot be read: {}; use an intact copy", name, parsed.mistake);
    ModelParts model = model_from_header(parsed.value, tensors.left() / sizeof(float), name);
    if (version < squashed_since && model.encoding.scaling == Scaling::column)
      model.encoding.scaling = Scaling::standard;
    for_tensors(model, [&](std::span<float> values) { tensors.get_all(values); });
    for (std::size_t n = 0; n < model.nets(); ++n) {
      for (Layer<float>& layer : model.net(n).network.layers)
        std::iota(layer.units.begin(), layer.units.end(), 0U);
    }
    require_numbers(model, name);
    return model;
  } catch (const nlohmann::json::exception&) {
    fail("{}: the model file's header cannot be read; use an intact copy", name);
  }
}

}  // namespace coppice
