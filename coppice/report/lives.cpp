#include "coppice/report/lives.h"

#include <algorithm>

namespace coppice {

Lives::Layer& Lives::at(std::size_t layer) {
  if (layer >= layers_.size()) layers_.resize(layer + 1);
  return layers_[layer];
}

/// The unit's life; one that was never born was there from the start.
Life& Lives::life(std::size_t layer, std::size_t unit) {
  Layer& owner = at(layer);
  if (const auto found = owner.place.find(unit); found != owner.place.end()) {
    owner.lives[found->second].guessed = false;
    return owner.lives[found->second];
  }
  auto place = std::ranges::find_if(owner.lives, [](const Life& one) { return one.guessed; });
  if (place == owner.lives.end()) place = owner.lives.insert(place, Life{});
  if (place->guessed) owner.place.erase(place->unit);
  owner.place[unit] = static_cast<std::size_t>(place - owner.lives.begin());
  place->unit = unit;
  place->guessed = false;
  return *place;
}

void Lives::born(std::size_t layer, std::size_t unit, std::size_t epoch) {
  Layer& owner = at(layer);
  owner.place[unit] = owner.lives.size();
  owner.lives.push_back({.unit = unit, .born = epoch});
}

void Lives::died(std::size_t layer, std::size_t unit, std::size_t epoch) {
  Life& one = life(layer, unit);
  if (one.fate != Fate::survived) return;
  one.fate = Fate::died;
  one.end = epoch;
}

void Lives::rewind(std::size_t epoch, std::size_t to_epoch) {
  for (Layer& layer : layers_) {
    for (Life& one : layer.lives) {
      if (one.fate == Fate::unlearned) continue;
      if (one.born > to_epoch) {
        if (one.fate == Fate::survived) one.end = epoch;
        one.fate = Fate::unlearned;
      } else if (one.fate == Fate::died && one.end > to_epoch) {
        one.fate = Fate::survived;
        one.end = 0;
      }
    }
  }
}

void Lives::first_widths(const std::vector<std::size_t>& widths) {
  for (std::size_t l = 0; l < widths.size(); ++l) {
    Layer& layer = at(l);
    auto alive = static_cast<std::size_t>(
        std::ranges::count_if(layer.lives, [](const Life& one) { return one.fate == Fate::survived; }));
    // Ids of the first units count from 0; later events correct the guess.
    for (std::size_t unit = 0; alive < widths[l]; ++unit) {
      if (layer.place.contains(unit)) continue;
      layer.place[unit] = layer.lives.size();
      layer.lives.push_back({.unit = unit, .guessed = true});
      ++alive;
    }
  }
}

void Lives::close(std::size_t last_epoch) {
  for (Layer& layer : layers_) {
    for (Life& one : layer.lives) {
      if (one.fate == Fate::survived) one.end = last_epoch;
    }
    std::ranges::stable_sort(layer.lives, {}, &Life::born);
    for (std::size_t i = 0; i < layer.lives.size(); ++i) layer.place[layer.lives[i].unit] = i;
  }
}

const Life* Lives::find(std::size_t layer, std::size_t unit) const {
  if (layer >= layers_.size()) return nullptr;
  const auto found = layers_[layer].place.find(unit);
  return found == layers_[layer].place.end() ? nullptr : &layers_[layer].lives[found->second];
}

}  // namespace coppice
