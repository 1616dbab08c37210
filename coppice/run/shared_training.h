#pragma once

#include "coppice/api/training.h"
#include "coppice/run/files.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

/// A training whose nets several train: threads, processes, machines. Each of them makes one of the same table and options,
/// trains nets that wait and hands them on as bytes. What comes after a round follows from its nets, so that all who took
/// them wait for the same ones next, and in the end have the models that train() gives.
class SharedTraining {
 public:
  /// Prepares the data. Processors train; a limit of time is refused, since nobody knows when the others began.
  SharedTraining(const Table& table, const Options& options, const std::function<bool()>& stop = {});

  TrainingInfo info() const { return training_->info(); }
  /// Nets that are to be trained now, in any order; none: all is done.
  std::vector<std::size_t> waiting() const { return training_->waiting(); }

  /// Trains one of them to its end, with so many threads (0: as the options say). Changes nothing here; several threads
  /// may train different ones. `observer` may be null. If `stop` ends it, fails with an error of kind interrupted.
  std::string train(std::size_t net, std::size_t threads, Observer* observer,
                    const std::function<bool()>& stop) const;

  /// Takes a net, trained here or elsewhere; one that was taken before is left as it is. `observer`, which may be null, is
  /// told its epochs.
  void take(std::string_view bytes, Observer* observer);

  /// The nets as models, as train() gives them. Where some still wait it was stopped; nothing can be taken after that.
  Result finish(Observer* observer, const std::function<bool()>& stop);

 private:
  FilesRead data_;
  std::uint32_t fingerprint_ = 0;
  std::unique_ptr<Training> training_;
  std::vector<EpochReport> history_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace coppice
