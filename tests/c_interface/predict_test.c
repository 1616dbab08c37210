#include "check.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static void classes_are_predicted(const coppice_model* model, const coppice_table* table) {
  coppice_prediction* prediction = NULL;
  NEED(coppice_model_predict(model, table, NULL, &prediction));
  CHECK(coppice_prediction_rows(prediction) == ring_rows);
  CHECK(coppice_prediction_class_count(prediction) == 2);
  CHECK(strcmp(coppice_prediction_class_name(prediction, 0), "in") == 0);
  CHECK(strcmp(coppice_prediction_class_name(prediction, 1), "out") == 0);
  CHECK(coppice_prediction_class_name(prediction, 2) == NULL);
  CHECK(coppice_prediction_values(prediction) == NULL);
  for (size_t row = 0; row < ring_rows; ++row) {
    const double* chances = coppice_prediction_probabilities(prediction) + 2 * row;
    CHECK(fabs(chances[0] + chances[1] - 1) < 1e-9);
    CHECK(coppice_prediction_classes(prediction)[row] == (chances[1] > chances[0] ? 1u : 0u));
  }
  CHECK(coppice_prediction_warning_count(prediction) == 0);
  CHECK(coppice_prediction_warning(prediction, 0) == NULL);
  coppice_prediction_free(prediction);
}

static void numbers_are_predicted(void) {
  coppice_table* table = ring();
  coppice_options* options = quick();
  const char* ignored[] = {"where"};
  coppice_predict_options asking = {.size = sizeof asking, .interval = 0.5};
  coppice_result* result = NULL;
  coppice_model* model = NULL;
  coppice_prediction* prediction = NULL;
  coppice_text* json = NULL;
  set(options, "target", "x");
  set(options, "task", "regression");
  NEED(coppice_options_set(options, "ignore", ignored, 1));
  NEED(coppice_train(table, options, NULL, &result));
  NEED(coppice_result_model(result, COPPICE_NO_NET, &model));
  NEED(coppice_model_predict(model, table, NULL, &prediction));
  CHECK(coppice_prediction_class_count(prediction) == 0);
  CHECK(coppice_prediction_class_name(prediction, 0) == NULL);
  CHECK(coppice_prediction_classes(prediction) == NULL);
  CHECK(coppice_prediction_probabilities(prediction) == NULL);
  CHECK(isfinite(coppice_prediction_values(prediction)[ring_rows - 1]));
  CHECK(coppice_prediction_lower(prediction) == NULL);
  coppice_prediction_free(prediction);
  NEED(coppice_model_predict(model, table, &asking, &prediction));
  for (size_t row = 0; row < ring_rows; ++row)
    CHECK(coppice_prediction_lower(prediction)[row] < coppice_prediction_upper(prediction)[row]);
  CHECK(coppice_prediction_sets(prediction) == NULL);
  NEED(coppice_model_evaluate(model, table, NULL, &json));
  CHECK(has(coppice_text_data(json), "\"rmse\":") && !has(coppice_text_data(json), "\"confusion\""));
  coppice_text_free(json);
  coppice_prediction_free(prediction);
  coppice_model_free(model);
  coppice_result_free(result);
  coppice_options_free(options);
  coppice_table_free(table);
}

/* A set for every row of classes, bounds for every number, and only if they are asked for. */
static void intervals_are_told(const coppice_model* model, const coppice_table* table) {
  coppice_predict_options options = {.size = sizeof options, .interval = 0.9};
  coppice_prediction* prediction = NULL;
  coppice_text* json = NULL;
  NEED(coppice_model_predict(model, table, &options, &prediction));
  CHECK(coppice_prediction_lower(prediction) == NULL && coppice_prediction_upper(prediction) == NULL);
  for (size_t row = 0; row < ring_rows; ++row) {
    const uint8_t* set = coppice_prediction_sets(prediction) + 2 * row;
    CHECK(set[coppice_prediction_classes(prediction)[row]] == 1 && set[0] <= 1 && set[1] <= 1);
  }
  coppice_prediction_free(prediction);
  NEED(coppice_model_evaluate(model, table, &options, &json));
  CHECK(has(coppice_text_data(json), "\"coverage\":") && has(coppice_text_data(json), "\"mean_size\":"));
  coppice_text_free(json);
  options.interval = 1.5;
  FAILS(coppice_model_predict(model, table, &options, &prediction), COPPICE_BAD_OPTION, "between 0 and 1");
  options.size = offsetof(coppice_predict_options, interval);
  NEED(coppice_model_predict(model, table, &options, &prediction));
  CHECK(coppice_prediction_sets(prediction) == NULL);
  coppice_prediction_free(prediction);
}

static void warnings_are_told(const coppice_model* model) {
  const double zero[] = {0};
  const char* odd[] = {"purple"};
  coppice_table* points = NULL;
  coppice_prediction* prediction = NULL;
  NEED(coppice_table_new(&points));
  NEED(coppice_table_add_f64(points, "x", zero, 1, NULL));
  NEED(coppice_table_add_f64(points, "y", zero, 1, NULL));
  NEED(coppice_table_add_texts(points, "colour", odd, 1));
  NEED(coppice_model_predict(model, points, NULL, &prediction));
  CHECK(coppice_prediction_warning_count(prediction) == 1);
  CHECK(has(coppice_prediction_warning(prediction, 0), "colour"));
  CHECK(coppice_prediction_warning(prediction, 1) == NULL);
  coppice_prediction_free(prediction);
  coppice_table_free(points);
}

static void a_model_is_evaluated(const coppice_model* model, const coppice_table* table,
                                 const coppice_table* no_target) {
  coppice_text* json = NULL;
  coppice_predict_options no_size = {.size = 0};
  NEED(coppice_model_evaluate(model, table, NULL, &json));
  CHECK(has(coppice_text_data(json), "\"rows\":200,") && has(coppice_text_data(json), "\"confusion\":["));
  coppice_text_free(json);
  FAILS(coppice_model_evaluate(model, no_target, NULL, &json), COPPICE_BAD_INPUT, "\"where\"");
  CHECK(json == NULL);
  FAILS(coppice_model_evaluate(NULL, table, NULL, &json), COPPICE_BAD_INPUT, "the model must not be NULL");
  FAILS(coppice_model_evaluate(model, NULL, NULL, &json), COPPICE_BAD_INPUT, "the table must not be NULL");
  FAILS(coppice_model_evaluate(model, table, &no_size, &json), COPPICE_BAD_INPUT, "is not set");
  FAILS(coppice_model_evaluate(model, table, NULL, NULL), COPPICE_BAD_INPUT, "the text must not be NULL");
}

static void options_are_read_as_far_as_their_size_says(const coppice_model* model,
                                                       const coppice_table* table) {
  coppice_predict_options options = {.size = sizeof options, .threads = 1};
  coppice_prediction* prediction = NULL;
  NEED(coppice_model_predict(model, table, &options, &prediction));
  coppice_prediction_free(prediction);
  options.threshold = 1e-9;
  options.positive = "in";
  NEED(coppice_model_predict(model, table, &options, &prediction));
  for (size_t row = 0; row < ring_rows; ++row) CHECK(coppice_prediction_classes(prediction)[row] == 0);
  coppice_prediction_free(prediction);
  options.threshold = 2;
  FAILS(coppice_model_predict(model, table, &options, &prediction), COPPICE_BAD_OPTION, "between 0 and 1");
  options.threshold = 0;
  options.positive = NULL;
  options.cuda = 1; /* beyond the size: not read, so that no GPU is needed */
  options.size = offsetof(coppice_predict_options, cuda);
  NEED(coppice_model_predict(model, table, &options, &prediction));
  coppice_prediction_free(prediction);
  options.size = 0;
  FAILS(coppice_model_predict(model, table, &options, &prediction), COPPICE_BAD_INPUT, "set it to sizeof");
}

static void wrong_rows_are_refused(const coppice_model* model, const coppice_table* table) {
  const double numbers[] = {1, 2};
  const char* words[] = {"1", "much"};
  coppice_table* narrow = NULL;
  coppice_prediction* prediction = NULL;
  NEED(coppice_table_new(&narrow));
  NEED(coppice_table_add_f64(narrow, "x", numbers, 2, NULL));
  FAILS(coppice_model_predict(model, narrow, NULL, &prediction), COPPICE_BAD_INPUT, "\"y\"");
  ABOUT("", "y", -1);
  CHECK(prediction == NULL);
  NEED(coppice_table_add_texts(narrow, "y", words, 2));
  FAILS(coppice_model_predict(model, narrow, NULL, &prediction), COPPICE_BAD_INPUT, "\"much\"");
  ABOUT("", "y", 1);
  coppice_table_free(narrow);
  FAILS(coppice_model_predict(NULL, table, NULL, &prediction), COPPICE_BAD_INPUT,
        "the model must not be NULL");
  FAILS(coppice_model_predict(model, NULL, NULL, &prediction), COPPICE_BAD_INPUT,
        "the table must not be NULL");
  FAILS(coppice_model_predict(model, table, NULL, NULL), COPPICE_BAD_INPUT,
        "the prediction must not be NULL");
}

static void nothing_is_predicted_by_nothing(void) {
  CHECK(coppice_prediction_rows(NULL) == 0 && coppice_prediction_class_count(NULL) == 0);
  CHECK(coppice_prediction_class_name(NULL, 0) == NULL);
  CHECK(coppice_prediction_classes(NULL) == NULL);
  CHECK(coppice_prediction_probabilities(NULL) == NULL);
  CHECK(coppice_prediction_values(NULL) == NULL);
  CHECK(coppice_prediction_lower(NULL) == NULL && coppice_prediction_upper(NULL) == NULL);
  CHECK(coppice_prediction_sets(NULL) == NULL);
  CHECK(coppice_prediction_warning_count(NULL) == 0);
  CHECK(coppice_prediction_warning(NULL, 0) == NULL);
  coppice_prediction_free(NULL);
}

void test_predict(void) {
  const float points[] = {0, 0, 1, 1};
  const char* names[] = {"x", "y"};
  coppice_model* model = trained_model();
  coppice_table* table = ring();
  coppice_table* no_target = NULL;
  NEED(coppice_table_matrix(points, 2, 2, 2, names, &no_target));
  classes_are_predicted(model, table);
  numbers_are_predicted();
  intervals_are_told(model, table);
  warnings_are_told(model);
  a_model_is_evaluated(model, table, no_target);
  options_are_read_as_far_as_their_size_says(model, table);
  wrong_rows_are_refused(model, table);
  nothing_is_predicted_by_nothing();
  coppice_table_free(no_target);
  coppice_table_free(table);
  coppice_model_free(model);
}
