#pragma once

#include "coppice/api/training.h"
#include "coppice/network/row_team.h"
#include "coppice/ranks/messenger.h"
#include "coppice/ranks/wire.h"

#include <cstddef>
#include <string>
#include <vector>

// Rows over ranks: each rank holds a part of the rows in memory, and all of them pass over every batch together.
namespace coppice {

/// Fails unless so many ranks can hold as many shares each.
void refuse_rank_count(std::size_t ranks);

/// From which width of a first layer on several ranks are faster than one, as a sentence.
std::string where_rows_pay(const TrainingInfo& info, std::size_t ranks);

/// What a rank holds, rank 0 too.
class RankRows {
 public:
  /// Fails if that is more than half of what a training may take.
  RankRows(Messenger& messenger, const Training& training);

  std::string answer(const std::string& question);
  std::string answer(const Compute& compute, const std::string& question) {
    return shares_.answer(compute, question);
  }

 private:
  ThreadPool pool_;
  Compute compute_;
  HeldShares shares_;
};

/// All of them, seen from rank 0.
class RankTeam final : public RowTeam {
 public:
  RankTeam(Messenger& messenger, const std::vector<Hello>& hellos, const Training& training)
      : messenger_(&messenger), hellos_(&hellos), rows_(messenger, training) {}

 protected:
  std::vector<std::string> ask(const Compute& compute, const std::string& question) override;

 private:
  Messenger* messenger_;
  const std::vector<Hello>* hellos_;
  RankRows rows_;
};

}  // namespace coppice
