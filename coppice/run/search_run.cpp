#include "coppice/run/search_run.h"

#include "coppice/core/fail.h"
#include "coppice/core/file.h"
#include "coppice/device/conductor.h"
#include "coppice/run/configuration.h"
#include "coppice/run/files.h"
#include "coppice/run/layout.h"
#include "coppice/run/results_file.h"
#include "coppice/run/search_summary.h"
#include "coppice/search/settings.h"

#include <filesystem>
#include <utility>

namespace coppice {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* checksum_key = "checksum";

std::string text_of(const json& search) {
  return search.dump(2) + "\n";
}

/// Of all else that it says, however it is laid out.
std::string checksum_of(json search) {
  search.erase(checksum_key);
  return fmt::format("{:08x}", checksum(search.dump()));
}

/// An altered space is another search. Files of earlier versions have no checksum, nor have those that somebody changed on purpose.
void refuse_altered(const json& search, const std::string& file) {
  if (search.contains(checksum_key) && search[checksum_key] != checksum_of(search)) {
    fail_file(
        "{}: is not what search wrote there; restore it, or remove its \"checksum\" if it was changed on "
        "purpose",
        file);
  }
}

}  // namespace

SearchRunOptions search_options(const json& config, const std::string& file) {
  SearchRunOptions options;
  try {
    const auto kind = from_name<SearchKind>(config.at("kind").get<std::string>());
    if (!kind) fail_file("{}: there is no search {}; restore the file", file, config["kind"].dump());
    options.space.kind = *kind;
    options.run.data = config.at("shared").at("data");
    apply_config(options.run, config["shared"], file, {});
    for (const Setting<SearchSpace>& setting : search_settings(*kind)) {
      const json& search = config.at("search");
      if (!search.contains(setting.name) || search[setting.name].is_null()) continue;
      try {
        setting.set(options.space, texts_of(search[setting.name], setting.list));
      } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("{}: {}", file, error.what()), error.place());
      }
    }
  } catch (const json::exception&) {
    fail_file("{}: is not a file that search wrote; restore it or begin a new search", file);
  }
  return options;
}

SearchRun::SearchRun(SearchRunOptions options, std::string directory, std::function<bool()> stop)
    : options_(std::move(options)), directory_(std::move(directory)), stop_(std::move(stop)) {}

std::string SearchRun::path(const std::string& name) const {
  return layout::in(directory_, name);
}

json SearchRun::configuration() const {
  json search = {{"kind", name_of(options_.space.kind)},
                 {"search", settings_json(search_settings(options_.space.kind), training_->space())},
                 {"shared", coppice::configuration(options_.run, training_->options(), checksums_)}};
  search[checksum_key] = checksum_of(search);
  return search;
}

std::uint32_t SearchRun::fingerprint() const {
  return settings_fingerprint(training_->options(), checksums_);
}

void SearchRun::read(const json* known_checksums) {
  Conductor conductor(stop_);
  conductor.run([&] {
    FilesRead files = read_files(options_.run, [&] { return conductor.stopped(); });
    checksums_ = files.checksums;
    if (known_checksums != nullptr) refuse_other_data(*known_checksums, checksums_, "search", directory_);
    training_ = std::make_unique<SearchTraining>(files.data, options_.space, files.options,
                                                 [&] { conductor.check(); });
  });
}

SearchRun SearchRun::create(SearchRunOptions options, std::string directory, std::function<bool()> stop) {
  check_search(options.space, options.run.options);
  refuse_used(directory);
  SearchRun search(std::move(options), std::move(directory), std::move(stop));
  search.read(nullptr);
  const std::string text = text_of(search.configuration());  // or fails
  search.lock_ = claim_new(search.directory_);
  write_own_file(search.path(layout::search), text);
  return search;
}

SearchRun SearchRun::resume(const std::string& directory,
                            const std::function<void(SearchRunOptions&)>& change,
                            std::function<bool()> stop) {
  const std::string file = layout::in(directory, layout::search);
  if (!fs::exists(file) && fs::exists(layout::in(directory, layout::config)))
    fail_file("`resume` {}: is a run; continue it with: coppice train --resume {}", directory, directory);
  if (!fs::exists(file))
    fail_file("`resume` {}: holds no search (there is no search.json); check the path", directory);
  DirectoryLock lock(directory);
  const json config = read_json(file);
  refuse_altered(config, file);
  const SearchRunOptions before = search_options(config, file);
  SearchRunOptions options = before;
  change(options);
  if (options.space.layers.empty()) options.space.layers = before.space.layers;  // found from the rows
  refuse_changes(changes_of(search_settings(before.space.kind), before.space, options.space, {}), "search",
                 directory);
  const json resolved = config["shared"].value("resolved", json::object());
  refuse_changes(changes_of(run_settings(), before.run, options.run, resolved), "search", directory);
  SearchRun search(std::move(options), directory, std::move(stop));
  const json checksums = config["shared"].value("checksums", json::object());
  search.read(&checksums);
  search.lock_ = std::move(lock);
  remove_leftovers(directory);
  // Before anything is written: it refuses results of another search.
  [[maybe_unused]] const ResultsFile results(search.path(layout::results), search.fingerprint());
  if (const json now = search.configuration(); now != config) write_own_file(file, text_of(now));
  return search;
}

bool SearchRun::train(SearchObserver* observer, TrialCrew* crew) {
  Conductor conductor(stop_);
  SearchRelay relay(conductor, observer);
  ResultsFile results(path(layout::results), fingerprint());
  bool complete = false;
  conductor.run([&] {
    relay.on_info(training_->info());
    complete = training_->train(
        results, &relay, [&] { return conductor.stopped(); }, crew);
    if (complete) results.put_in_order(training_->results());
  });
  return complete;
}

SearchResult SearchRun::finish() const {
  lock_.require();
  SearchResult result = training_->finish();
  if (result.model) {
    write_own_file(path(layout::model), result.model->bytes());
  } else {
    fs::remove(path(layout::model));  // of fewer trials
  }
  write_own_file(path(layout::summary), search_summary_json(result).dump(2) + "\n");
  return result;
}

}  // namespace coppice
