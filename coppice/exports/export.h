#pragma once

#include "coppice/core/export.h"
#include "coppice/core/names.h"
#include "coppice/data/table.h"
#include "coppice/model/model.h"

#include <array>
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
};
template <>
constexpr std::array<std::string_view, 2> names_of<ExportFormat>{"json", "c"};

/// The format of that name. Fails on any other, naming those that there are.
COPPICE_API ExportFormat export_format(const std::string& name);

struct ExportOptions {
  ExportFormat format = ExportFormat::json;
  std::string name = "model";  ///< c: what all names begin with
  bool int8 = false;           ///< c: weights and what goes from layer to layer in 8 bits
  /// int8: rows such as those of training, which say what the 8 bits stand for; with the target it is also told what they
  /// cost.
  std::optional<Table> calibrate = std::nullopt;
};

/// The model as a file of that format. Fails, saying what to do, where the format cannot express it.
COPPICE_API std::string export_model(const Model& model, const ExportOptions& options = {});

}  // namespace coppice
