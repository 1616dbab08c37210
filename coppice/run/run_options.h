#pragma once

#include "coppice/api/settings.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace coppice {

/// Everything a user can say about a run: what can be said about a training, and the files around it.
struct RunOptions {
  std::string data;        ///< file or directory
  std::string validation;  ///< a file; empty: `options` tells
  std::string test;        ///< a file; empty: `options` tells, or the test part of the data if it has one
  std::string warm_start;  ///< a model to begin with, or the directory of a run
  Options options;
  std::optional<Table>
      table;  ///< the data where it lies in memory: then `data` is empty, and `options` may hold tables,
              ///< rows and a model too, since who goes on hands them in again
  std::optional<std::size_t> checkpoint_every;  ///< epochs of each net; unset: 10
  std::function<void(const std::string& path, double share)>
      reading;  ///< told now and then how much of a file is read, in whatever thread reads it

  std::size_t epochs_between_checkpoints() const { return checkpoint_every.value_or(10); }
};

/// The settings of a training, those of them that take files too, and checkpoint-every.
const std::vector<Setting<RunOptions>>& run_settings();

/// Whether the value of `validation` or `test` is a file and not a fraction or nothing.
bool names_file(const std::string& text);

/// Sets what a config object holds, except the names in `overridden` (given otherwise). Fails on unknown names.
void apply_config(RunOptions& options, const nlohmann::json& config, const std::string& file,
                  const std::vector<std::string>& overridden);

}  // namespace coppice
