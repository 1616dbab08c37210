#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace coppice {

enum class Fate { survived, died, unlearned };

/// A unit from its first to its last epoch. Born in epoch 0: there from the start.
struct Life {
  std::size_t unit = 0;
  std::size_t born = 0;
  std::size_t end = 0;  ///< of a survivor: 0 until the book is closed
  Fate fate = Fate::survived;
  bool guessed = false;  ///< its id was not seen yet
};

/// Who lived when in one net, from the journal's events in their order. A rewind takes back what came after the
/// epoch it returns to: units born since count as unlearned, deaths since did not happen.
class Lives {
 public:
  void born(std::size_t layer, std::size_t unit, std::size_t epoch);
  void died(std::size_t layer, std::size_t unit, std::size_t epoch);
  void rewind(std::size_t epoch, std::size_t to_epoch);
  /// Widths after the first epoch tell how many units were there from the start: the journal names them only when
  /// they die.
  void first_widths(const std::vector<std::size_t>& widths);
  void close(std::size_t last_epoch);

  std::size_t layers() const { return layers_.size(); }
  /// In the order of birth.
  const std::vector<Life>& layer(std::size_t index) const { return layers_[index].lives; }
  /// The unit with that id, or null.
  const Life* find(std::size_t layer, std::size_t unit) const;

 private:
  struct Layer {
    std::vector<Life> lives;
    std::unordered_map<std::size_t, std::size_t> place;
  };
  Layer& at(std::size_t layer);
  Life& life(std::size_t layer, std::size_t unit);

  std::vector<Layer> layers_;
};

}  // namespace coppice
