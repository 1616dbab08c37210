#include "coppice/search/search.h"

#include "coppice/c_interface/callbacks.h"
#include "coppice/c_interface/handles.h"
#include "coppice/core/fail.h"
#include "coppice/core/text.h"
#include "coppice/run/search_summary.h"
#include "coppice/search/settings.h"

#include <memory>

using namespace coppice;
using namespace coppice::c;

namespace {

const Setting<SearchSpace>& setting_named(SearchKind kind, const std::string& name) {
  const auto& all = search_settings(kind);
  const auto found = std::ranges::find(all, name, &Setting<SearchSpace>::name);
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const Setting<SearchSpace>& setting : all) names.push_back("`" + setting.name + "`");
  fail_option(name, "`{}`: a {} search has no such setting; there are {}", name, name_of(kind),
              joined(names, ", "));
}

SearchSpace space_of(const char* kind, const char* const* space, std::size_t count) {
  const std::string name = required_text(kind, "the kind");
  const auto found = from_name<SearchKind>(name);
  if (!found) fail("there is no search {}; there are grid and random", cited(name));
  SearchSpace result;
  result.kind = *found;
  const std::vector<std::string> texts = texts_at(space, count, "a setting");
  if (count % 2 != 0)
    fail_option(texts.back(), "`{}`: has no value; give names and values in turn", texts.back());
  for (std::size_t i = 0; i < texts.size(); i += 2) {
    const Setting<SearchSpace>& setting = setting_named(*found, texts[i]);
    setting.set(result, setting.list ? split_commas({texts[i + 1]}) : std::vector<std::string>{texts[i + 1]});
  }
  return result;
}

}  // namespace

coppice_status coppice_search(const coppice_table* table, const char* kind, const char* const* space,
                              std::size_t space_count, const coppice_options* options,
                              const coppice_callbacks* callbacks, coppice_text** summary_json,
                              coppice_model** model) {
  return guarded([&] {
    coppice_text*& summary_to = place_for(summary_json, "the text");
    coppice_model*& model_to = place_for(model, "the model");
    Callbacks watching(callbacks);
    const SearchResult result = search(required(table, "the table").value, space_of(kind, space, space_count),
                                       required(options, "the options").value, &watching, watching.stop());
    std::unique_ptr<coppice_text> summary(new coppice_text{json_text(search_summary_json(result))});
    if (result.model) model_to = new coppice_model{*result.model};
    summary_to = summary.release();
  });
}
