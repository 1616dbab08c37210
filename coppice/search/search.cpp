#include "coppice/search/search.h"

#include "coppice/core/error.h"
#include "coppice/core/file.h"
#include "coppice/core/text.h"
#include "coppice/run/configuration.h"
#include "coppice/run/device.h"
#include "coppice/search/group_training.h"
#include "coppice/search/ranking.h"
#include "coppice/search/results_file.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace coppice {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// What search.json holds.
json search_json(SearchOptions options, const json& checksums) {
  json shared = configuration(options.run, checksums);
  for (const Setting& setting : settings_of(options.run)) {
    if (!why_not_shared(setting.name).empty()) shared.erase(setting.name);
  }
  json space = json::object();
  for (const Setting& setting : search_settings_of(options)) space[setting.name] = setting.get();
  return {{"kind", name_of(options.kind)}, {"search", space}, {"shared", shared}};
}

std::string text_of(const json& search) {
  return search.dump(2) + "\n";
}

SearchOptions options_from(const json& config, const std::string& file) {
  SearchOptions options;
  try {
    const auto kind = from_name<SearchKind>(config.at("kind").get<std::string>());
    if (!kind) fail("{}: there is no search {}; restore the file", file, config["kind"].dump());
    options.kind = *kind;
    options.run.data = config.at("shared").at("data");
    apply_config(options.run, config["shared"], file, {});
    for (const Setting& setting : search_settings_of(options)) {
      const json& value = config.at("search").at(setting.name);
      if (value.is_null()) continue;
      std::vector<std::string> texts;
      for (const json& entry : value.is_array() ? value : json::array({value}))
        texts.push_back(entry.is_string() ? entry.get<std::string>() : entry.dump());
      try {
        setting.set(setting.list ? split_commas(texts) : texts);
      } catch (const Error& error) {
        fail("{}: {}", file, error.what());
      }
    }
  } catch (const json::exception&) {
    fail("{}: is not a file that search wrote; restore it or begin a new search", file);
  }
  return options;
}

std::vector<Setting> all_settings(SearchOptions& options) {
  std::vector<Setting> all = search_settings_of(options);
  for (Setting& setting : shared_settings_of(options.run)) all.push_back(std::move(setting));
  return all;
}

}  // namespace

Search::Search(SearchOptions options, std::string directory, DirectoryLock lock, PreparedData data)
    : options_(std::move(options)),
      directory_(std::move(directory)),
      lock_(std::move(lock)),
      data_(std::move(data)) {
  if (options_.kind == SearchKind::random && options_.space.layers.empty())
    options_.space.layers = default_layers(data_.net_data(options_.run.seed).train_rows.size());
  device_text_ = find_device();
}

std::string Search::path(const std::string& name) const {
  return (fs::path(directory_) / name).string();
}

Search Search::create(SearchOptions options, std::string directory) {
  check_search(options);
  refuse_used(directory);
  PreparedData data = prepare_data(options.run);
  Search search(std::move(options), std::move(directory), {}, std::move(data));
  const std::string text = text_of(search_json(search.options_, search.data_.checksums));  // or fails
  search.lock_ = claim_new(search.directory_);
  write_file(search.path("search.json"), text);
  return search;
}

Search Search::resume(const std::string& directory, const std::function<void(SearchOptions&)>& change) {
  const std::string file = (fs::path(directory) / "search.json").string();
  if (!fs::exists(file) && fs::exists(fs::path(directory) / "config.json"))
    fail("--resume {}: is a run; continue it with: coppice train --resume {}", directory, directory);
  if (!fs::exists(file))
    fail("--resume {}: holds no search (there is no search.json); check the path", directory);
  DirectoryLock lock(directory);
  const json config = read_json(file);
  SearchOptions before = options_from(config, file);
  SearchOptions options = before;
  change(options);
  refuse_changes(all_settings(before), all_settings(options), "search", directory);
  refuse_other_data(config["shared"].value("checksums", json::object()), file_checksums(options.run),
                    "search", directory);
  PreparedData data = prepare_data(options.run);
  remove_leftovers(directory);
  Search search(std::move(options), directory, std::move(lock), std::move(data));
  // Before anything is written: it refuses results of another search.
  [[maybe_unused]] const ResultsFile results(search.path("results.jsonl"),
                                             search_fingerprint(search.data_, search.options_.run));
  if (const json now = search_json(search.options_, search.data_.checksums); now != config)
    write_file(file, text_of(now));
  return search;
}

std::vector<Trial> Search::trials() const {
  return options_.kind == SearchKind::grid
             ? grid_trials(options_.space, options_.run.seed)
             : random_trials(options_.space, options_.trials, options_.run.seed);
}

std::string Search::find_device() const {
  std::set<std::string> texts;
  for (const OptimizerKind optimizer : options_.space.optimizers) {
    for (const Norm norm : options_.space.norms) {
      const RunOptions options =
          trial_options(options_.run, {.hidden = {1}, .optimizer = optimizer, .step = 1, .norm = norm});
      const ChosenDevice device = choose_device(options);
      texts.insert(fmt::format("{}, products in {}", device.text,
                               name_of(choose_precision(options, device.device, data_.encoding.format))));
    }
  }
  return joined(std::vector<std::string>(texts.begin(), texts.end()), "; ");
}

void Search::leave_gpu() {
  options_.run.device = Device::cpu;
  device_text_ = find_device();
}

bool Search::train(TrialObserver* observer, const std::function<bool()>& stop) {
  const auto note = [&](const std::string& text) {
    if (observer != nullptr) observer->on_note(text);
  };
  const auto train = [&](const std::vector<Trial>& trials) {
    auto results = train_trials(data_, options_.run, trials, path("results.jsonl"), observer, stop);
    if (!results) return false;
    results_.insert(results_.end(), results->begin(), results->end());
    return true;
  };
  results_.clear();
  if (!train(trials())) return false;
  ranked_ = rank_settings(results_);
  if (options_.reruns > 1) {
    const std::vector<Trial> reruns = rerun_trials(ranked_, options_.top, options_.reruns, options_.run.seed);
    if (!reruns.empty()) {
      note(fmt::format("{} net{} more: the best settings with {} seeds each", reruns.size(),
                       reruns.size() > 1 ? "s" : "", options_.reruns));
    }
    if (!train(reruns)) return false;
    ranked_ = rank_settings(results_);
  }
  chosen_ = best_net(ranked_.front(), results_);
  model_.reset();
  if (!chosen_) return true;
  note("the best net once more, for model.coppice");
  model_ = train_model(data_, options_.run, results_[*chosen_].trial, observer, stop);
  return model_.has_value();
}

SearchSummary Search::finish() const {
  lock_.require();
  const SearchSummary summary{.kind = options_.kind,
                              .task = data_.encoding.task,
                              .results = results_,
                              .ranked = ranked_,
                              .chosen = chosen_,
                              .model = model_ ? std::optional(model_->result) : std::nullopt};
  if (model_) {
    write_file(path("model.coppice"), model_bytes(model_->model));
  } else {
    fs::remove(path("model.coppice"));  // of fewer trials
  }
  write_file(path("summary.json"), search_summary_json(summary).dump(2) + "\n");
  return summary;
}

}  // namespace coppice
