#include "coppice/analysis/metrics.h"
#include "coppice/c_interface/handles.h"
#include "coppice/model/model_json.h"

#include <string_view>

using namespace coppice;
using namespace coppice::c;

namespace {

PredictOptions options_of(const coppice_predict_options* options) {
  const coppice_predict_options given = taken(options);
  PredictOptions result;
  result.threads = given.threads;
  result.device = given.cuda != 0 ? Device::cuda : Device::cpu;
  return result;
}

nlohmann::ordered_json evaluation_json(const Evaluation& evaluation) {
  const Metrics& metrics = evaluation.metrics;
  nlohmann::ordered_json json{{"rows", metrics.rows},
                              {"error", metrics.error},
                              {"standard_error", metrics.standard_error},
                              {"unseen_rows", evaluation.unseen_rows},
                              {"warnings", evaluation.warnings}};
  if (evaluation.task == Task::classification) {
    json["log_loss"] = metrics.log_loss;
    json["classes"] = evaluation.class_names;
    json["confusion"] = metrics.confusion;
  } else {
    json["rmse"] = metrics.rmse;
    json["mae"] = metrics.mae;
    json["r2"] = metrics.r2;
  }
  return json;
}

}  // namespace

coppice_status coppice_model_load(const char* path, coppice_model** model) {
  return guarded([&] {
    required(model, "the model") = new coppice_model{Model::load(required_text(path, "the path"))};
  });
}

coppice_status coppice_model_from_bytes(const void* bytes, std::size_t size, coppice_model** model) {
  return guarded([&] {
    if (size > 0 && bytes == nullptr) throw Error(ErrorKind::bad_input, "the bytes are NULL; hand some in");
    required(model, "the model") =
        new coppice_model{Model::from_bytes(std::string_view(static_cast<const char*>(bytes), size))};
  });
}

coppice_status coppice_model_bytes(const coppice_model* model, coppice_text** bytes) {
  return guarded([&] { hand_out_text(required(model, "the model").value.bytes(), bytes); });
}

coppice_status coppice_model_save(const coppice_model* model, const char* path) {
  return guarded([&] { required(model, "the model").value.save(required_text(path, "the path")); });
}

coppice_status coppice_model_json(const coppice_model* model, int weights, coppice_text** json) {
  return guarded(
      [&] { hand_out_text(model_json(required(model, "the model").value, weights != 0).dump(), json); });
}

void coppice_model_free(coppice_model* model) {
  delete model;
}

coppice_status coppice_model_predict(const coppice_model* model, const coppice_table* table,
                                     const coppice_predict_options* options,
                                     coppice_prediction** prediction) {
  return guarded([&] {
    required(prediction, "the prediction") = new coppice_prediction{
        required(model, "the model").value.predict(required(table, "the table").value, options_of(options))};
  });
}

coppice_status coppice_model_evaluate(const coppice_model* model, const coppice_table* table,
                                      const coppice_predict_options* options, coppice_text** json) {
  return guarded([&] {
    const Evaluation evaluation =
        evaluate(required(model, "the model").value, required(table, "the table").value, options_of(options));
    hand_out_text(evaluation_json(evaluation).dump(), json);
  });
}

std::size_t coppice_prediction_rows(const coppice_prediction* prediction) {
  return prediction->value.rows;
}
std::size_t coppice_prediction_class_count(const coppice_prediction* prediction) {
  return prediction->value.class_names.size();
}
const char* coppice_prediction_class_name(const coppice_prediction* prediction, std::size_t index) {
  return prediction->value.class_names[index].c_str();
}
const std::uint32_t* coppice_prediction_classes(const coppice_prediction* prediction) {
  return prediction->value.classes.data();
}
const double* coppice_prediction_probabilities(const coppice_prediction* prediction) {
  return prediction->value.probabilities.data();
}
const double* coppice_prediction_values(const coppice_prediction* prediction) {
  return prediction->value.values.data();
}
std::size_t coppice_prediction_warning_count(const coppice_prediction* prediction) {
  return prediction->value.warnings.size();
}
const char* coppice_prediction_warning(const coppice_prediction* prediction, std::size_t index) {
  return prediction->value.warnings[index].c_str();
}
void coppice_prediction_free(coppice_prediction* prediction) {
  delete prediction;
}
