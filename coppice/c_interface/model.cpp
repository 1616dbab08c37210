#include "coppice/analysis/evaluation_json.h"
#include "coppice/c_interface/handles.h"
#include "coppice/model/model_json.h"

#include <string_view>

using namespace coppice;
using namespace coppice::c;

namespace {

PredictOptions options_of(const coppice_predict_options* options) {
  const coppice_predict_options given = taken(options, "the options");
  PredictOptions result;
  result.threads = given.threads;
  result.device = given.cuda != 0 ? Device::cuda : Device::cpu;
  if (given.threshold != 0) result.threshold = given.threshold;
  if (given.positive != nullptr) result.positive = given.positive;
  if (given.interval != 0) result.interval = given.interval;
  return result;
}

/// The one of that index, or NULL.
const char* text_of(const std::vector<std::string>& texts, std::size_t index) {
  return index < texts.size() ? texts[index].c_str() : nullptr;
}
/// NULL if there are none.
template <class T>
const T* first_of(const std::vector<T>& all) {
  return all.empty() ? nullptr : all.data();
}

nlohmann::ordered_json evaluation_json(const Evaluation& evaluation) {
  const Metrics& metrics = evaluation.metrics;
  nlohmann::ordered_json json{{"rows", metrics.rows},
                              {"error", metrics.error},
                              {"standard_error", metrics.standard_error},
                              {"unseen_rows", evaluation.unseen_rows},
                              {"warnings", evaluation.warnings}};
  json.update(metrics_json(evaluation));
  if (evaluation.task == Task::classification) {
    json["classes"] = evaluation.class_names;
    json["confusion"] = metrics.confusion;
  }
  return json;
}

}  // namespace

coppice_status coppice_model_load(const char* path, coppice_model** model) {
  return guarded([&] {
    coppice_model*& to = place_for(model, "the model");
    to = new coppice_model{Model::load(required_text(path, "the path"))};
  });
}

coppice_status coppice_model_from_bytes(const void* bytes, std::size_t size, coppice_model** model) {
  return guarded([&] {
    coppice_model*& to = place_for(model, "the model");
    if (size > 0 && bytes == nullptr) throw Error(ErrorKind::bad_input, "the bytes must not be NULL");
    to = new coppice_model{Model::from_bytes(std::string_view(static_cast<const char*>(bytes), size))};
  });
}

coppice_status coppice_model_bytes(const coppice_model* model, coppice_text** bytes) {
  return guarded([&] {
    coppice_text*& to = place_for(bytes, "the text");
    to = new coppice_text{required(model, "the model").value.bytes()};
  });
}

coppice_status coppice_model_save(const coppice_model* model, const char* path) {
  return guarded([&] { required(model, "the model").value.save(required_text(path, "the path")); });
}

coppice_status coppice_model_json(const coppice_model* model, int weights, coppice_text** json) {
  return guarded([&] {
    coppice_text*& to = place_for(json, "the text");
    to = new coppice_text{json_text(model_json(required(model, "the model").value, weights != 0))};
  });
}

void coppice_model_free(coppice_model* model) {
  delete model;
}

coppice_status coppice_model_predict(const coppice_model* model, const coppice_table* table,
                                     const coppice_predict_options* options,
                                     coppice_prediction** prediction) {
  return guarded([&] {
    coppice_prediction*& to = place_for(prediction, "the prediction");
    to = new coppice_prediction{
        required(model, "the model").value.predict(required(table, "the table").value, options_of(options))};
  });
}

coppice_status coppice_model_evaluate(const coppice_model* model, const coppice_table* table,
                                      const coppice_predict_options* options, coppice_text** json) {
  return guarded([&] {
    coppice_text*& to = place_for(json, "the text");
    const Evaluation evaluation =
        evaluate(required(model, "the model").value, required(table, "the table").value, options_of(options));
    to = new coppice_text{json_text(evaluation_json(evaluation))};
  });
}

std::size_t coppice_prediction_rows(const coppice_prediction* prediction) {
  return prediction == nullptr ? 0 : prediction->value.rows;
}
std::size_t coppice_prediction_class_count(const coppice_prediction* prediction) {
  return prediction == nullptr ? 0 : prediction->value.class_names.size();
}
const char* coppice_prediction_class_name(const coppice_prediction* prediction, std::size_t index) {
  return prediction == nullptr ? nullptr : text_of(prediction->value.class_names, index);
}
const std::uint32_t* coppice_prediction_classes(const coppice_prediction* prediction) {
  return prediction == nullptr ? nullptr : first_of(prediction->value.classes);
}
const double* coppice_prediction_probabilities(const coppice_prediction* prediction) {
  return prediction == nullptr ? nullptr : first_of(prediction->value.probabilities);
}
const double* coppice_prediction_values(const coppice_prediction* prediction) {
  return prediction == nullptr ? nullptr : first_of(prediction->value.values);
}
const double* coppice_prediction_lower(const coppice_prediction* prediction) {
  return prediction == nullptr ? nullptr : first_of(prediction->value.lower);
}
const double* coppice_prediction_upper(const coppice_prediction* prediction) {
  return prediction == nullptr ? nullptr : first_of(prediction->value.upper);
}
const std::uint8_t* coppice_prediction_sets(const coppice_prediction* prediction) {
  return prediction == nullptr ? nullptr : first_of(prediction->value.sets);
}
std::size_t coppice_prediction_warning_count(const coppice_prediction* prediction) {
  return prediction == nullptr ? 0 : prediction->value.warnings.size();
}
const char* coppice_prediction_warning(const coppice_prediction* prediction, std::size_t index) {
  return prediction == nullptr ? nullptr : text_of(prediction->value.warnings, index);
}
void coppice_prediction_free(coppice_prediction* prediction) {
  delete prediction;
}
