#pragma once

#include "coppice/api/result.h"
#include "coppice/coppice_c.h"
#include "coppice/search/search.h"

#include <functional>
#include <string>

namespace coppice::c {

/// An epoch as C sees it; pointers into the report.
coppice_epoch epoch_of(const EpochReport& report);

/// Hands what happens to the caller's functions.
class Callbacks final : public Observer, public SearchObserver {
 public:
  explicit Callbacks(const coppice_callbacks* callbacks);

  using SearchObserver::on_begin;
  void on_begin(const TrainingInfo& info) override;
  void on_epoch(const EpochReport& report) override;
  void on_note(const std::string& note) override;
  std::function<bool()> stop() const;

 private:
  coppice_callbacks call_;
};

}  // namespace coppice::c
