#pragma once

#include "coppice/reproduce/session.h"
#include "coppice/training/population.h"

#include <chrono>
#include <string>
#include <vector>

namespace coppice::reproduce {

/// Says every ten seconds how far the nets are, in plain lines.
class ProgressLines final : public Observer {
 public:
  ProgressLines(const Session& session, std::string name, std::size_t nets)
      : session_(&session), name_(std::move(name)), nets_(nets) {}

  void on_epoch(const NetRun& run, const EpochReport& report) override;
  bool reads_weights(const NetRun&) const override { return false; }

 private:
  const Session* session_;
  std::string name_;
  std::size_t nets_;
  std::size_t ended_ = 0;
  std::chrono::steady_clock::time_point said_ = std::chrono::steady_clock::now();
};

}  // namespace coppice::reproduce
