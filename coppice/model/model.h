#pragma once

#include "coppice/core/choices.h"
#include "coppice/core/export.h"
#include "coppice/data/table.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Part of the public interface.
namespace coppice {

struct FoldedNet;
struct ModelParts;

/// How a model came to be; all of it repeats with the same data and seed, so that model files do too.
struct ModelOrigin {
  std::string version;  ///< of the library that trained it
  std::string optimizer;
  double lambda = 0;
  std::uint64_t seed = 0;
  std::size_t epochs = 0;  ///< epochs trained in all
  std::string phase;       ///< of the protocol at the end: "done" when it ran to its end
  std::size_t train_rows = 0;
  std::size_t validation_rows = 0;
  double train_loss = 0;
  double validation_error = 0;
  std::optional<double> test_error;
};

/// A column of the table that a model takes in.
struct ModelColumn {
  std::string name;
  ColumnKind kind = ColumnKind::number;
  std::vector<std::string> categories;  ///< text: those that training saw; "" is a missing cell
};

struct PredictOptions {
  std::size_t threads =
      0;  ///< at most; 0: as many as there are. Few rows are left to the calling thread alone
  std::optional<Device> device = Device::cpu;  ///< none: a GPU if there is one and its memory suffices
  /// Of a model with two classes: `positive`, or the second class if that is empty, is answered where its probability is at
  /// least so much, and the other one elsewhere. None: the more likely one.
  std::optional<double> threshold = std::nullopt;
  std::string positive = {};
  /// Says of every row where its target lies, right for this share of rows: bounds of a number, a set of classes.
  std::optional<double> interval = std::nullopt;
  /// Answers of the same bits on every processor, at about the same speed; not on a GPU.
  bool portable_math = false;
  /// Asked now and then by the calling thread; if it says true, an Error of the kind `interrupted` is thrown.
  std::function<bool()> stop = {};
};

/// What a model says about the rows of a table.
struct Prediction {
  std::size_t rows = 0;

  // classification
  std::vector<std::uint32_t>
      classes;  ///< the class of each row, the most likely one or by the threshold: an index into class_names
  std::vector<double> probabilities;     ///< of all classes, row by row: rows x classes
  std::vector<std::string> class_names;  ///< the model's classes
  // regression
  std::vector<double> values;  ///< in the target's own units

  // with PredictOptions::interval
  std::vector<double> lower;  ///< regression: the target lies between them
  std::vector<double> upper;
  std::vector<std::uint8_t> sets;  ///< classification, rows x classes: 1 where a row's set has the class

  std::vector<std::string> id_names;          ///< id columns of the model that the table has
  std::vector<std::vector<std::string>> ids;  ///< their cells, one list per column; "" where one is missing
  std::vector<std::string> notes;             ///< what is good to know, one sentence each
  std::vector<std::string> warnings;

  /// The name of the class of a row.
  const std::string& class_of(std::size_t row) const { return class_names[classes[row]]; }
  /// The classes in the set of a row, the most likely first; they are never none.
  COPPICE_API std::vector<std::uint32_t> set_of(std::size_t row) const;
  /// The probabilities of all classes for a row.
  std::span<const double> probabilities_of(std::size_t row) const {
    return std::span(probabilities).subspan(row * class_names.size(), class_names.size());
  }
};

/// A trained network with everything needed to use it on raw tables. Copies share one model, which never changes: any
/// number of threads may use it at once.
class COPPICE_API Model {
 public:
  /// Reads a model file. Fails on anything truncated, altered, newer or no model.
  static Model load(const std::string& path);
  /// The same from bytes of such a file; `name` stands for them in messages.
  static Model from_bytes(std::string_view bytes, const std::string& name = "model");

  /// The model as a file: see docs/model-format.md.
  std::string bytes() const;
  void save(const std::string& path) const;

  /// Class and probabilities, or value, of every row. Columns are found by their names, in any order; those that the model
  /// does not know are left out with a warning, and those that it needs must be there.
  Prediction predict(const Table& table, const PredictOptions& options = {}) const;

  Task task() const;
  const std::string& target() const;  ///< name of the column that it predicts
  /// What it tells apart, in the order of the probabilities; none for numbers.
  const std::vector<std::string>& classes() const;
  std::vector<ModelColumn> columns() const;
  const std::vector<std::string>& ids() const;  ///< columns that it passes through
  std::size_t inputs() const;                   ///< of the network: a text column has one per category
  std::vector<std::string> input_names() const;
  std::size_t nets() const;  ///< more than one: an ensemble, whose scores are averaged
  /// One number per hidden layer of the only net, or of one of the nets.
  std::vector<std::size_t> hidden_units(std::size_t net = 0) const;
  std::size_t parameters() const;  ///< of all nets
  Activation activation() const;
  double temperature() const;  ///< probabilities = softmax(scores / temperature)
  const ModelOrigin& origin() const;
  /// The highest share of rows that PredictOptions::interval may ask for; 0: none, as of models of earlier versions.
  double highest_interval() const;

  // For the library itself.
  explicit Model(ModelParts parts);
  Model(ModelParts parts, std::vector<FoldedNet> folded);
  const ModelParts& parts() const;
  /// Its nets, all of them functions of all inputs.
  const std::vector<FoldedNet>& folded() const;

  // No moves: a model that was moved from would be none.
  Model(const Model&) = default;
  Model& operator=(const Model&) = default;
  ~Model() = default;

 private:
  struct Shared;
  std::shared_ptr<const Shared> shared_;
};

}  // namespace coppice
