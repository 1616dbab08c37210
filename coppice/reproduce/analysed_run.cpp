#include "coppice/reproduce/analysed_run.h"

#include <cmath>
#include <filesystem>

namespace coppice::reproduce {

double analysed_lambda(const Session& session) {
  return 3e-4 * static_cast<double>(session.counts.lambda_times);
}

Flags analysed_flags(const Session& session) {
  Flags flags{{"effort", "paper"}};
  if (session.counts.short_protocol == 0) flags.emplace_back("batch-size", "1000");
  return flags;
}

NetHistory history_of(const TrainedNets& nets) {
  const std::string journal = (std::filesystem::path(nets.directory) / "journal.jsonl").string();
  return read_journal(journal, {nets.summary.nets.front().id}).front();
}

AnalysedRun train_analysed(const Session& session) {
  const std::size_t epochs = session.counts.epochs;
  AnalysedRun run;
  run.data = find_mnist(session);
  Flags flags = analysed_flags(session);
  flags.insert(flags.begin(), {"lambda", fmt::format("{:g}", analysed_lambda(session))});
  flags.insert(flags.end(), {{"angular-step", fmt::format("{:g}", analysed_step)},
                             {"unit-lifetime", std::to_string(session.counts.unit_lifetime)},
                             {"grow-epochs", std::to_string(epochs)},
                             {"max-epochs", std::to_string(2 * epochs)},
                             {"patience", "1e9"},
                             {"keep", "last"}});
  run.nets = train_nets(session, "mnist-analysed", run.data, flags);
  run.history = history_of(run.nets);
  return run;
}

std::vector<double> epochs_lived(const std::vector<Life>& lives, Fate fate) {
  std::vector<double> epochs;
  for (const Life& life : lives) {
    if (life.fate == fate) epochs.push_back(static_cast<double>(life.end - life.born));
  }
  return epochs;
}

Survival survival_of(const std::vector<Life>& lives, std::size_t growing_epochs) {
  const auto share = [&](std::size_t from, std::size_t to) {
    double born = 0;
    double survived = 0;
    for (const Life& life : lives) {
      if (life.born < from || life.born > to) continue;
      ++born;
      if (life.fate == Fate::survived) ++survived;
    }
    return born > 0 ? survived / born : std::nan("");
  };
  const std::size_t fifth = growing_epochs / 5;
  return {.early = share(1, fifth), .late = share(growing_epochs - fifth + 1, growing_epochs)};
}

}  // namespace coppice::reproduce
