#pragma once

#include "coppice/core/choices.h"
#include "coppice/core/export.h"
#include "coppice/data/table.h"
#include "coppice/model/model.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace coppice {

/// Rows that nets do not learn from: left to the library, a share of the table's rows, rows of the table by their
/// numbers (from 0), or a table of their own with the same columns.
using HeldOut = std::variant<std::monostate, double, std::vector<std::uint32_t>, Table>;

/// Everything that can be said about a training. What is unset, or empty, is decided by resolve() from the effort and the
/// data; what is set stays as it is. list_settings() has all of them with their help.
struct Options {
  // The data.
  std::optional<std::string> target;       ///< column to predict
  std::vector<std::string> ignore;         ///< columns to leave out
  std::vector<std::string> ids;            ///< columns that name a row: no inputs, passed through by predict
  std::vector<std::string> categorical;    ///< columns that are categories even if they hold numbers
  std::optional<std::string> weight;       ///< column that says how much each row counts
  std::vector<std::string> class_weights;  ///< "balanced", or "NAME=W" for some classes: factors on weights
  std::optional<Task> task;
  std::optional<Scaling> scale;
  std::optional<Encode> encode;                     ///< what a column of numbers becomes
  std::optional<TargetTransform> target_transform;  ///< what is learned of a target of numbers
  std::optional<Refit>
      refit;  ///< whether the best net learns from validation rows, too; none: if it learned much
  std::optional<std::size_t> ensemble;  ///< nets of the model, on as many folds; 1: one net
  std::optional<Distil> distil;      ///< whether one net learns from an ensemble; none: as one would be made
  HeldOut validation;                ///< rows that decide when to stop; unset: a tenth, of images a sixth
  HeldOut test;                      ///< rows that only the final error is measured on; unset: none
  std::optional<std::string> group;  ///< column: no group of rows is on both sides of a split
  std::optional<std::string> time;   ///< column: the last rows validate, and of all rows the last test
  std::optional<std::string> fold;   ///< column: the rows of one fold validate
  std::optional<std::uint64_t> seed;

  // The network.
  std::optional<Model> warm_start;  ///< begin with this model's network
  std::optional<std::size_t> hidden_layers;
  std::optional<std::size_t> start_units;
  std::vector<std::size_t> fixed_size;  ///< hidden units per layer of nets that do not grow
  std::optional<Norm> norm;
  std::optional<Activation> activation;
  std::optional<bool> output_capnorm;
  std::optional<bool> capped_batchnorm;  ///< CapNorm on the output layer behind batch normalisation, too
  std::optional<bool> prior_offset;
  std::optional<double> kinks;              ///< deviation of the offsets of hidden units' kinks
  std::optional<double> kink_step;          ///< by how much they move, as a part of the angle; 0: not at all
  std::optional<double> output_scale_step;  ///< the same of the logarithm of a factor on the outputs
  std::optional<std::size_t>
      capnorm_rows;  ///< that CapNorm's statistics reach back over; 0: those of the batch

  // The penalty on size.
  std::vector<double> lambdas;  ///< one net each; empty: a path of them, found from the data
  std::optional<Fan> regularizer;
  std::optional<std::size_t> penalty_power;
  std::vector<double> layer_lambdas;  ///< factors on lambda, one per layer of weights
  std::optional<std::size_t> path;    ///< lambdas that a path begins with
  std::optional<std::size_t> seeds;   ///< nets per lambda
  std::optional<std::size_t> repeat;  ///< trainings, each with other seeds and other held-out rows

  // Which net becomes the model.
  std::optional<Metric> metric;  ///< what decides
  std::optional<Pick> pick;
  std::optional<std::size_t> max_parameters;
  std::optional<std::size_t> max_bytes;
  std::optional<BytesFor> bytes_for;  ///< what `max_bytes` counts

  // How nets are trained.
  std::optional<OptimizerKind> optimizer;
  std::optional<Effort> effort;
  std::optional<double> angle;         ///< radians that a fan-in turns by per step
  std::optional<double> angular_step;  ///< alpha_phi, instead of an angle
  std::optional<double> step;          ///< of optimizers without angles
  std::optional<double> unit_lifetime;
  std::optional<double> radial_step;
  std::optional<double> add_units;
  std::optional<double> additions_per_epoch;
  std::optional<double> mixing_rate;
  std::optional<double> momentum_rate;
  std::optional<double> epsilon;
  std::optional<double> trust_region;      ///< of radial factors, 1/c to c; 0: they may be anything
  std::optional<double> relative_epsilon;  ///< of angular parts, as a share of the net's largest
  std::optional<bool> relative_shrinkage;  ///< of fan-ins longer than 1: by a share of their length
  std::optional<RadialRule> radial_rule;   ///< what a radial step makes of lengths that the gradient shortens
  std::optional<double> peak_half_life;    ///< epochs after which the largest angular part is half forgotten
  std::optional<double> label_smoothing;   ///< of classes: the share of a label that all classes get
  std::optional<std::size_t> batch_size;
  std::optional<std::size_t> grow_epochs;
  std::optional<std::size_t> softenings;
  std::optional<double> patience;
  std::optional<double> settle_epochs;
  std::optional<double> fine_patience;
  std::optional<std::size_t> max_epochs;
  std::optional<std::size_t> max_steps;
  std::optional<Precision> precision;
  std::optional<bool> portable_math;  ///< the same bits on every processor
  std::optional<Keep> keep;

  // The machine.
  std::optional<double> time_limit;     ///< seconds
  std::optional<Device> device;         ///< unset: a GPU if there is one
  std::optional<bool> rows_over_ranks;  ///< sums over rows are cut so that several processes can hold them
  std::vector<std::size_t> gpus;        ///< with device cuda: those that share the nets; empty: the first
  std::optional<std::size_t> threads;
  std::optional<std::size_t> memory;  ///< bytes; unset: most of what there is
};

/// One setting, for people and for other languages: a name, what to give, what it does.
struct SettingInfo {
  std::string name;   ///< as in sentences of the library: "hidden-layers"
  std::string value;  ///< what to give: "X[,Y,...]", "on|off"
  std::string help;
  std::string standard;  ///< what holds if it is not set; empty: found from the data, or nothing
  bool list = false;     ///< takes several values
};

/// All of them.
COPPICE_API std::vector<SettingInfo> list_settings();

/// Sets the one of that name from texts, as a command line or another language has them; no values: unset. Fails on names
/// and values that make no sense.
COPPICE_API void set_option(Options& options, const std::string& name,
                            const std::vector<std::string>& values);

/// The value of the one of that name as texts; none if it is unset.
COPPICE_API std::vector<std::string> get_option(const Options& options, const std::string& name);

}  // namespace coppice
