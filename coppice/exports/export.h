#pragma once

#include "coppice/core/export.h"
#include "coppice/core/names.h"
#include "coppice/data/table.h"
#include "coppice/model/model.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Part of the public interface.
namespace coppice {

/// What a model can be written as, for use without this library: docs/exports.md.
enum class ExportFormat : std::uint8_t {
  json,  ///< the steps from a row's cells to the answer
  c,     ///< a header in C99
  onnx,  ///< a graph from the table's columns to the answer
};
template <>
inline constexpr std::array<std::string_view, 3> names_of<ExportFormat>{"json", "c", "onnx"};

/// The format of that name. Fails on any other, naming those that there are.
COPPICE_API ExportFormat export_format(const std::string& name);

/// What the inputs of an ONNX graph are: one for each column, or one for all numbers, one for all texts, one for all times.
enum class OnnxInputs : std::uint8_t { columns, matrix };
template <>
inline constexpr std::array<std::string_view, 2> names_of<OnnxInputs>{"columns", "matrix"};

/// How an ONNX graph takes texts and names classes: as strings, or by their codes, which runtimes without strings need.
enum class OnnxTexts : std::uint8_t { strings, codes };
template <>
inline constexpr std::array<std::string_view, 2> names_of<OnnxTexts>{"strings", "codes"};

struct ExportOptions {
  ExportFormat format = ExportFormat::json;
  std::string name = "model";  ///< c: what all names begin with
  bool int8 = false;           ///< c: weights and what goes from layer to layer in 8 bits
  /// int8: rows such as those of training, which say what the 8 bits stand for; with the target it is also told what they
  /// cost.
  std::optional<Table> calibrate = std::nullopt;
  std::optional<OnnxInputs> onnx_inputs = std::nullopt;  ///< onnx; none: columns, but a matrix for images
  std::optional<OnnxTexts> onnx_texts = std::nullopt;    ///< onnx; none: strings
  std::optional<std::size_t> onnx_opset = std::nullopt;  ///< onnx: 13 to 17; none: 13
};

/// What the words of `onnx-inputs` and `onnx-texts` say. They fail on others, naming those that there are.
COPPICE_API OnnxInputs onnx_inputs(const std::string& name);
COPPICE_API OnnxTexts onnx_texts(const std::string& name);

/// The model as a file of that format. Fails, saying what to do, where the format cannot express it.
COPPICE_API std::string export_model(const Model& model, const ExportOptions& options = {});

}  // namespace coppice
