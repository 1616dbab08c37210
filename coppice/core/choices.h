#pragma once

#include "coppice/core/names.h"

#include <array>
#include <cstdint>
#include <string_view>

// What users choose by name, and the names. Part of the public interface.
namespace coppice {

enum class Task : std::uint8_t { classification, regression };
template <>
inline constexpr std::array<std::string_view, 2> names_of<Task>{"classification", "regression"};

/// Of network inputs.
enum class Scaling : std::uint8_t {
  column,    ///< each column by itself, numbers squashed so that none lies far out
  standard,  ///< each column by itself: mean 0, deviation 1
  global,    ///< all together (images)
  none,
};
template <>
inline constexpr std::array<std::string_view, 4> names_of<Scaling>{"column", "standard", "global", "none"};

/// What a column of numbers becomes: one input, or beside it some that rise one after another (bins).
enum class Encode : std::uint8_t { automatic, plain, bins };
template <>
inline constexpr std::array<std::string_view, 3> names_of<Encode>{"auto", "plain", "bins"};

/// Whether the best net learns from the rows that validated it, too, in the end.
enum class Refit : std::uint8_t { on, off };
template <>
inline constexpr std::array<std::string_view, 2> names_of<Refit>{"on", "off"};

/// Whether one net learns to answer as several do together.
enum class Distil : std::uint8_t { on, off };
template <>
inline constexpr std::array<std::string_view, 2> names_of<Distil>{"on", "off"};

/// What a net learns of a target of numbers: the numbers, or their logarithms.
enum class TargetTransform : std::uint8_t { none, log };
template <>
inline constexpr std::array<std::string_view, 2> names_of<TargetTransform>{"none", "log"};

/// Where to compute.
enum class Device : std::uint8_t { cpu, cuda };
template <>
inline constexpr std::array<std::string_view, 2> names_of<Device>{"cpu", "cuda"};

/// What products round their two sides to: nothing, 11 or 8 significant bits. Sums are float32.
enum class Precision : std::uint8_t { fp32, tf32, bf16 };
template <>
inline constexpr std::array<std::string_view, 3> names_of<Precision>{"fp32", "tf32", "bf16"};

/// Nonlinearities with s(0) = 0, so that a zero unit adds nothing. All but tanh are self-similar: s(c x) = c s(x).
enum class Activation : std::uint8_t { relu, leaky_relu, abs, tanh, identity };
template <>
inline constexpr std::array<std::string_view, 5> names_of<Activation>{"relu", "leaky-relu", "abs", "tanh",
                                                                      "identity"};

/// What follows a hidden layer's linear map: CapNorm, which only ever makes deviations smaller; batch normalisation,
/// without and with a free mean and variance per unit; or nothing.
enum class Norm : std::uint8_t { capnorm, batchnorm, batchnorm_affine, none };
template <>
inline constexpr std::array<std::string_view, 4> names_of<Norm>{"capnorm", "batchnorm", "batchnorm-affine",
                                                                "none"};

enum class OptimizerKind : std::uint8_t { adarad, adarad_m, sgd, momentum, nesterov, rmsprop, adam };
template <>
inline constexpr std::array<std::string_view, 7> names_of<OptimizerKind>{
    "adarad", "adarad-m", "sgd", "momentum", "nesterov", "rmsprop", "adam"};

/// What a radial step makes of a fan-in's length that the gradient shortens: less of it by a part, which may be more than there is,
/// or a share of it, as if the step were taken in many small ones.
enum class RadialRule : std::uint8_t { linear, exponential };
template <>
inline constexpr std::array<std::string_view, 2> names_of<RadialRule>{"linear", "exponential"};

/// Whose length is penalised: a unit's incoming weights or its outgoing ones.
enum class Fan : std::uint8_t { fan_in, fan_out };
template <>
inline constexpr std::array<std::string_view, 2> names_of<Fan>{"fan-in", "fan-out"};

/// Which state of a net that a limit stopped becomes the net: its best, or its last.
enum class Keep : std::uint8_t { best, last };
template <>
inline constexpr std::array<std::string_view, 2> names_of<Keep>{"best", "last"};

/// How much time a training may take: what fills in the settings that were not given.
enum class Effort : std::uint8_t {
  quick,   ///< a first answer
  normal,  ///< as good as the paper's protocol in a third of its epochs
  paper,   ///< the paper's protocol to the letter
};
template <>
inline constexpr std::array<std::string_view, 3> names_of<Effort>{"quick", "normal", "paper"};

/// What decides when to stop, what to go back to and which net is best. What is better the higher it is counts as 1 less it,
/// so that lower is better everywhere.
enum class Metric : std::uint8_t {
  error,     ///< share of wrong rows; of numbers the squared error
  log_loss,  ///< mean of -log of the probability that was given to the right class
  auc,       ///< area under the ROC curve; of several classes one against the rest, weighted by their shares
  balanced_error,  ///< mean over classes of the share of their rows that are wrong
  f1,              ///< of the second class; of several classes their mean
  rmse,            ///< of numbers: root of the mean squared error, which has the order of the squared error
  mae,             ///< of numbers: mean absolute error
};
template <>
inline constexpr std::array<std::string_view, 7> names_of<Metric>{
    "error", "log-loss", "auc", "balanced-error", "f1", "rmse", "mae"};

/// Which net of the front is wanted.
enum class Pick : std::uint8_t {
  best,      ///< the lowest error
  smallest,  ///< the smallest whose error is within one standard error of the lowest
  knee,      ///< where the front bends most: beyond it, size buys little
};
template <>
inline constexpr std::array<std::string_view, 3> names_of<Pick>{"best", "smallest", "knee"};

/// What a budget of bytes counts.
enum class BytesFor : std::uint8_t {
  model,   ///< those of the model file
  c,       ///< the constants of the C header that it is exported to
  c_int8,  ///< of the one in 8 bits
};
template <>
inline constexpr std::array<std::string_view, 3> names_of<BytesFor>{"model", "c", "c-int8"};

/// How a net came to its size: it grew and shrank under a penalty, or had it from the start.
enum class NetKind : std::uint8_t { grown, fixed };
template <>
inline constexpr std::array<std::string_view, 2> names_of<NetKind>{"grown", "fixed"};

/// The phases that a net goes through.
enum class Phase : std::uint8_t {
  grow,    ///< units are added all the time, the penalty removes those that earn nothing
  settle,  ///< nothing is added any more; redundant units die out
  polish,  ///< lambda = 0
  anneal,  ///< the step is divided by 3 again and again until it changes nothing
  done,
  failed,  ///< loss or gradient was not finite
};
template <>
inline constexpr std::array<std::string_view, 6> names_of<Phase>{"grow",   "settle", "polish",
                                                                 "anneal", "done",   "failed"};
inline std::string_view phase_name(Phase phase) {
  return names_of<Phase>.at(static_cast<std::size_t>(phase));
}

}  // namespace coppice
