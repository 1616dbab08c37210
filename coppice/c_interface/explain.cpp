#include "coppice/analysis/explain.h"

#include "coppice/c_interface/handles.h"

using namespace coppice;
using namespace coppice::c;

namespace {

ExplainOptions explain_options_of(const coppice_explain_options* options) {
  const coppice_explain_options given = taken(options, "the options");
  ExplainOptions result{.threads = given.threads};
  if (given.class_name != nullptr) result.class_name = given.class_name;
  if (given.rows != nullptr) result.rows.assign(given.rows, given.rows + given.row_count);
  return result;
}

/// A list of the explanation; NULL if there is none.
template <class T>
const T* list_of(const coppice_explanation* explanation, std::vector<T> Explanation::*list) {
  if (explanation == nullptr || (explanation->value.*list).empty()) return nullptr;
  return (explanation->value.*list).data();
}

}  // namespace

coppice_status coppice_model_explain(const coppice_model* model, const coppice_table* table,
                                     const coppice_explain_options* options,
                                     coppice_explanation** explanation) {
  return guarded([&] {
    coppice_explanation*& to = place_for(explanation, "the explanation");
    to = new coppice_explanation{explain(required(model, "the model").value,
                                         required(table, "the table").value, explain_options_of(options))};
  });
}

std::size_t coppice_explanation_rows(const coppice_explanation* explanation) {
  return explanation == nullptr ? 0 : explanation->value.rows;
}
std::size_t coppice_explanation_column_count(const coppice_explanation* explanation) {
  return explanation == nullptr ? 0 : explanation->value.columns.size();
}
const char* coppice_explanation_column_name(const coppice_explanation* explanation, std::size_t index) {
  if (index >= coppice_explanation_column_count(explanation)) return nullptr;
  return explanation->value.columns[index].c_str();
}
const double* coppice_explanation_contributions(const coppice_explanation* explanation) {
  return list_of(explanation, &Explanation::contributions);
}
const double* coppice_explanation_baselines(const coppice_explanation* explanation) {
  return list_of(explanation, &Explanation::baselines);
}
const double* coppice_explanation_scores(const coppice_explanation* explanation) {
  return list_of(explanation, &Explanation::scores);
}
const std::uint32_t* coppice_explanation_classes(const coppice_explanation* explanation) {
  return list_of(explanation, &Explanation::classes);
}
void coppice_explanation_free(coppice_explanation* explanation) {
  delete explanation;
}
