#pragma once

#include "experiments/comparison.h"
#include "experiments/so_far.h"
#include "experiments/stored.h"

#include <string>
#include <vector>

// Why nets that size themselves do well: one thing changed at a time.
namespace coppice::experiments {

/// One way of training, told by what can be changed.
struct Way {
  std::string name = {};  ///< "fixed size"
  std::string sizing = {};
  std::string optimizer = {};
  std::string norm = {};
  std::string output_cap = {};
  std::string smoothing = {};  ///< of labels

  bool operator==(const Way&) const = default;
};

/// The nets of one way on one set, a net per seed.
struct Arm {
  Way way = {};
  std::string step =
      {};  ///< the one of several with the lowest median validation error, where there are several
  std::vector<NetResult> nets = {};

  std::vector<double> test_errors() const;
};

struct WhySet {
  std::string title = {};  ///< "MNIST"
  double lambda = 0;
  std::vector<Arm> arms = {};  ///< the first sizes itself

  const Arm* find(const std::string& name) const;
};

/// A set with how its nets are trained.
struct WhyTask {
  std::string title;
  DataFiles data;
  double lambda;
  double lifetime;            ///< epochs of a useless unit, which sets the radial step
  Flags protocol;             ///< of every net
  Flags grows;                ///< of nets that gain units
  Flags turns;                ///< of AdaRad
  std::size_t additions = 1;  ///< units that a layer gains per epoch

  std::string radial_step() const { return numbers_text({1 / (lifetime * lambda)}); }
};

/// Trains on one set every way that is not there so far, and what those come from; its runs come before those of a higher
/// rank. If it is interrupted, ways are shown whose runs have ended, the first being among them.
void train_why(const Session& session, const WhyTask& task, std::size_t rank, SoFar<WhySet>& so_far);

// Names of ways that claims look for.
inline constexpr const char* by_itself = "sized by itself";
inline constexpr const char* by_itself_uncapped = "sized by itself, output not capped";
inline constexpr const char* by_itself_momentum = "sized by itself, momentum";
inline constexpr const char* same_size_net = "same size";
inline constexpr const char* same_size_uncapped = "same size, output not capped";
inline constexpr const char* same_size_momentum = "same size, momentum";
inline constexpr const char* same_size_smooth = "same size, smoothed labels";
inline constexpr const char* usual_net = "same size, momentum, batch normalisation";
inline constexpr const char* usual_capped = "same size, momentum, batch normalisation, capped";
inline constexpr const char* usual_smooth = "same size, momentum, batch normalisation, smoothed labels";
inline constexpr const char* bare_itself = "sized by itself, no normalisation";
inline constexpr const char* bare_net = "same size, momentum, no normalisation";
inline constexpr const char* bare_penalised = "same size, momentum, no normalisation, penalised";
inline constexpr const char* shrunk_net = "begins with that size, penalised";
inline constexpr const char* larger_net = "three times the units";
inline constexpr const char* pruned_net = "pruned after training";
inline constexpr const char* cut_net = "grown without penalty, then cut";
inline constexpr const char* set_back_net = "set back to the weights of births";

std::vector<Claim> why_claims(const std::vector<WhySet>& sets);
std::string why_details(const std::vector<WhySet>& sets);
Rows why_rows(const std::vector<WhySet>& sets);
std::vector<WhySet> stored_why(const StoredEntry& stored);
Svg draw_why(const std::vector<WhySet>& sets);

}  // namespace coppice::experiments
