#pragma once

#include "coppice/exports/protobuf.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace coppice {

/// Types of tensors, by ONNX's numbers.
enum class OnnxType : std::uint8_t { float32 = 1, int64 = 7, string = 8, float64 = 11 };

/// What a node is told beside its tensors.
using OnnxSetting = std::variant<std::int64_t, float, std::vector<std::int64_t>, std::vector<float>,
                                 std::vector<std::string>>;
using OnnxSettings = std::vector<std::pair<std::string, OnnxSetting>>;

/// A graph of ONNX as it is built, from its inputs to its outputs. Tensors are known by their names.
class OnnxGraph {
 public:
  using Name = std::string;
  using Shape = std::vector<std::size_t>;

  /// Keeps a name from tensors inside. False if it is taken already, or no name.
  bool reserve(const Name& name) { return !name.empty() && names_.insert(name).second; }

  /// One row per row of the table and so many columns.
  Name input(const Name& name, OnnxType type, std::size_t columns);
  /// columns: none if it has rows alone.
  void output(const Name& name, OnnxType type, std::optional<std::size_t> columns);

  Name constant(std::span<const float> values, const Shape& shape);
  Name constant(std::span<const double> values, const Shape& shape);
  Name constant(std::span<const std::int64_t> values, const Shape& shape);
  Name constant(std::span<const std::string> values, const Shape& shape);
  /// One number for all rows and columns.
  Name constant(float value) { return constant(std::span(&value, 1), {}); }
  Name constant(double value) { return constant(std::span(&value, 1), {}); }

  /// A node of one output, which is named `as` or by itself.
  Name node(std::string_view op, const std::vector<Name>& inputs, const OnnxSettings& settings = {},
            const Name& as = {});

  /// The whole file; `told` are words about it that tools show, `opset` the version of the operators that it names.
  std::string file(const std::vector<std::pair<std::string, std::string>>& told, std::size_t opset) const;

 private:
  Name fresh(std::string_view stem);
  Name add_constant(OnnxType type, std::string_view raw, const Shape& shape);

  ProtoMessage graph_;
  std::unordered_set<std::string> names_;
  std::size_t made_ = 0;
  bool uses_ml_ = false;
};

}  // namespace coppice
