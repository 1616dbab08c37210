#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/run/configuration.h"
#include "coppice/run/journal.h"
#include "coppice/run/layout.h"
#include "coppice/run/model_file.h"
#include "coppice/run/run.h"
#include "coppice/run/shard.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

// The run that shards trained, from their directories.
namespace coppice {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The events of one epoch of a net as they stand in a journal. The shard that trained it tells when.
struct Block {
  double seconds = 0;
  std::size_t net = 0;
  std::size_t epoch = 0;
  std::string lines;
};

/// Adds what a journal tells of epochs that are not known yet; after a shard died, two tell of some.
void add_journal(std::map<std::pair<std::size_t, std::size_t>, Block>& blocks, const std::string& text) {
  std::map<std::pair<std::size_t, std::size_t>, Block> own;
  journal::read(text, [&](const journal::Event& event, std::string_view line) {
    const auto [net, epoch] = std::visit([](const auto& e) { return std::pair(e.net, e.epoch); }, event);
    Block& block = own[{net, epoch}];
    block.net = net;
    block.epoch = epoch;
    block.lines += line;
    block.lines += '\n';
    if (const auto* trained = std::get_if<journal::Epoch>(&event)) block.seconds = trained->seconds;
  });
  // Who took a net from elsewhere did not see how it began.
  std::erase_if(own, [&](const auto& entry) {
    return entry.second.epoch == 0 && !own.contains({entry.second.net, 1});
  });
  blocks.merge(own);
}

/// All of it in the order of time, a net's beginning right before its first epoch.
std::string merged_journal(const std::vector<std::string>& shards, const std::vector<NetRun>& runs) {
  std::map<std::pair<std::size_t, std::size_t>, Block> blocks;
  for (const std::string& shard : shards) {
    const std::string file = layout::in(shard, layout::journal);
    if (fs::exists(file)) add_journal(blocks, read_file(file));
  }
  std::vector<Block> all;
  for (auto& [place, block] : blocks) {
    if (block.net >= runs.size() || block.epoch > runs[block.net].epoch) continue;
    const auto first = blocks.find({block.net, 1});
    if (block.epoch == 0 && first != blocks.end()) block.seconds = first->second.seconds;
    all.push_back(std::move(block));
  }
  std::ranges::stable_sort(all, {}, [](const Block& b) { return std::tuple(b.seconds, b.net, b.epoch); });
  std::string text;
  for (const Block& block : all) text += block.lines;
  return text;
}

/// Fails unless they are shards of one division.
Shard division_of(const std::vector<std::string>& shards) {
  if (shards.empty()) fail("merge needs directories of shards: coppice merge RUN");
  std::optional<Shard> first;
  for (const std::string& directory : shards) {
    const auto shard = shard_of_directory(directory);
    if (!shard || !fs::exists(layout::in(directory, layout::config)))
      fail_file("{}: holds no shard of a run; name directories that coppice train --shard made", directory);
    if (!first) first = shard;
    if (shard->count != first->count)
      fail("{}: is one of {} shards, {} is one of {}; merge those of one division", directory, shard->count,
           shards.front(), first->count);
  }
  return *first;
}

/// The sentence where nets are not at their end.
[[noreturn]] void refuse_unfinished(const Training& training, std::size_t count) {
  std::vector<std::string> to_run;
  for (std::size_t shard = 0; shard < count; ++shard) {
    const auto waiting = training.waiting();
    const bool has = std::ranges::any_of(
        waiting, [&](std::size_t net) { return (net - training.first_of_round()) % count == shard; });
    if (has) to_run.push_back(std::to_string(shard));
  }
  fail(
      "{} of {} nets known so far are not at their end: run the shards again, at least {} of {}, then merge; "
      "nothing was written",
      training.waiting().size(), training.runs().size(), joined(to_run, ", "), count);
}

}  // namespace

Run Run::merge(const std::vector<std::string>& shards, std::string directory,
               const std::function<void(RunOptions&)>& change, std::function<bool()> stop) {
  const std::size_t count = division_of(shards).count;
  refuse_used(directory);
  const std::string config_path = layout::in(shards.front(), layout::config);
  const json config = read_json(config_path);
  RunOptions options;
  if (!config.contains("data") || !config["data"].is_string() || !config.contains("checksums"))
    fail_file("{}: is not a configuration that this version of train wrote; run the shard again",
              config_path);
  options.data = config["data"];
  apply_config(options, config, config_path, {});
  RunOptions before = options;
  change(options);
  refuse_changes(changes_of(run_settings(), before, options, config.value("resolved", json::object())), "run",
                 directory);
  options.warm_start = model_file(options.warm_start);
  Run run(std::move(options), std::move(directory), std::move(stop));
  const json& checksums = config["checksums"];
  run.read(&checksums);
  for (const std::string& shard : shards)
    refuse_other_shard(shard, run.fingerprint_, run.training_->kernels());
  run.begin([&](NetRun& net) { restore_furthest(net, shards, run.fingerprint_); });
  if (!run.training_->waiting().empty()) refuse_unfinished(*run.training_, count);
  run.claim();
  for (const NetRun& net : run.training_->runs()) run.write_checkpoint(net);
  write_own_file(run.path(layout::journal), merged_journal(shards, run.training_->runs()));
  return run;
}

}  // namespace coppice
