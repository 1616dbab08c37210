#include "coppice/api/settings.h"
#include "coppice/c_interface/handles.h"
#include "coppice/core/fail.h"

using namespace coppice;
using namespace coppice::c;

namespace {

/// The rows that a name stands for.
HeldOut& rows_named(coppice_options* options, const char* name) {
  Options& value = required(options, "the options").value;
  const std::string text = required_text(name, "the name");
  if (text == "validation") return value.validation;
  if (text == "test") return value.test;
  fail_option(text, "`{}`: takes no rows; only `validation` and `test` do", text);
}

}  // namespace

coppice_status coppice_settings_json(coppice_text** json) {
  return guarded([&] {
    coppice_text*& to = place_for(json, "the text");
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const SettingInfo& info : list_settings()) {
      all.push_back({{"name", info.name},
                     {"value", info.value},
                     {"help", info.help},
                     {"standard", info.standard},
                     {"list", info.list}});
    }
    to = new coppice_text{json_text(all)};
  });
}

coppice_status coppice_options_new(coppice_options** options) {
  return guarded([&] {
    coppice_options*& to = place_for(options, "the options");
    to = new coppice_options{};
  });
}

coppice_status coppice_options_set(coppice_options* options, const char* name, const char* const* values,
                                   std::size_t count) {
  return guarded([&] {
    set_option(required(options, "the options").value, required_text(name, "the name"),
               texts_at(values, count, "a value"));
  });
}

coppice_status coppice_options_json(const coppice_options* options, coppice_text** json) {
  return guarded([&] {
    coppice_text*& to = place_for(json, "the text");
    to = new coppice_text{json_text(settings_json(settings(), required(options, "the options").value))};
  });
}

coppice_status coppice_options_set_table(coppice_options* options, const char* name,
                                         const coppice_table* table) {
  return guarded([&] { rows_named(options, name) = required(table, "the table").value; });
}

coppice_status coppice_options_set_rows(coppice_options* options, const char* name, const std::uint32_t* rows,
                                        std::size_t count) {
  return guarded([&] {
    if (count > 0) required(rows, "the rows");
    rows_named(options, name) = std::vector<std::uint32_t>(rows, rows + count);
  });
}

coppice_status coppice_options_set_warm_start(coppice_options* options, const coppice_model* model) {
  return guarded(
      [&] { required(options, "the options").value.warm_start = required(model, "the model").value; });
}

void coppice_options_free(coppice_options* options) {
  delete options;
}
