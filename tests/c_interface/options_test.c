#include "check.h"

static void settings_are_set_by_name(void) {
  const char* lambdas[] = {"0.25", "0.5"};
  coppice_options* options = NULL;
  coppice_text* json = NULL;
  NEED(coppice_options_new(&options));
  NEED(coppice_options_json(options, &json));
  CHECK(has(coppice_text_data(json), "{}"));
  coppice_text_free(json);
  set(options, "patience", "20");
  NEED(coppice_options_set(options, "lambda", lambdas, 2));
  NEED(coppice_options_json(options, &json));
  CHECK(has(coppice_text_data(json), "\"patience\":20"));
  CHECK(has(coppice_text_data(json), "\"lambda\":[0.25,0.5]"));
  coppice_text_free(json);
  NEED(coppice_options_set(options, "patience", NULL, 0));
  NEED(coppice_options_json(options, &json));
  CHECK(!has(coppice_text_data(json), "patience"));
  coppice_text_free(json);
  coppice_options_free(options);
}

static void wrong_settings_are_refused(void) {
  const char* words[] = {"few", "many"};
  const char* none[] = {NULL};
  coppice_options* options = NULL;
  coppice_text* json = NULL;
  NEED(coppice_options_new(&options));
  FAILS(coppice_options_set(options, "patiense", words, 1), COPPICE_BAD_OPTION, "did you mean");
  ABOUT("patiense", "", -1);
  FAILS(coppice_options_set(options, "patience", words, 1), COPPICE_BAD_OPTION, "`patience` \"few\"");
  ABOUT("patience", "", -1);
  FAILS(coppice_options_set(options, "patience", words, 2), COPPICE_BAD_OPTION, "`patience`");
  FAILS(coppice_options_set(options, "warm-start", words, 1), COPPICE_BAD_OPTION, "takes a model");
  ABOUT("warm-start", "", -1);
  FAILS(coppice_options_set(options, "patience", NULL, 1), COPPICE_BAD_INPUT, "a value must not be NULL");
  FAILS(coppice_options_set(options, "patience", none, 1), COPPICE_BAD_INPUT, "a value must not be NULL");
  FAILS(coppice_options_set(options, NULL, words, 1), COPPICE_BAD_INPUT, "the name must not be NULL");
  FAILS(coppice_options_set(NULL, "patience", words, 1), COPPICE_BAD_INPUT, "the options must not be NULL");
  FAILS(coppice_options_json(NULL, &json), COPPICE_BAD_INPUT, "the options must not be NULL");
  CHECK(json == NULL);
  FAILS(coppice_options_json(options, NULL), COPPICE_BAD_INPUT, "the text must not be NULL");
  coppice_options_free(options);
}

/* How many rows a training validates on. */
static int see_info(void* user, const char* info_json) {
  *(int*)user = has(info_json, "\"validation_rows\":3,") || has(info_json, "\"validation_rows\":200,");
  return 1;
}
static int validates_on_them(const coppice_table* table, const coppice_options* options) {
  int found = 0;
  const coppice_callbacks callbacks = {.size = sizeof callbacks, .user = &found, .on_begin = see_info};
  coppice_result* result = NULL;
  FAILS(coppice_train(table, options, &callbacks, &result), COPPICE_INTERRUPTED, "a callback");
  CHECK(result == NULL);
  return found;
}

static void rows_are_named(void) {
  const uint32_t rows[] = {3, 5, 8}, beyond[] = {3, 1000}, twice[] = {3, 3};
  coppice_table* table = ring();
  coppice_table* others = other_ring();
  coppice_options* options = quick();
  coppice_result* result = NULL;
  NEED(coppice_options_set_rows(options, "validation", rows, 3));
  CHECK(validates_on_them(table, options));
  NEED(coppice_options_set_table(options, "validation", others));
  coppice_table_free(others); /* the options hold it */
  CHECK(validates_on_them(table, options));
  NEED(coppice_options_set_rows(options, "test", rows, 3));
  CHECK(validates_on_them(table, options));
  NEED(coppice_options_set_rows(options, "test", beyond, 2));
  FAILS(coppice_train(table, options, NULL, &result), COPPICE_BAD_OPTION, "row 1000 does not exist");
  ABOUT("test", "", -1);
  NEED(coppice_options_set_rows(options, "test", twice, 2));
  FAILS(coppice_train(table, options, NULL, &result), COPPICE_BAD_OPTION, "named twice");
  NEED(coppice_options_set_rows(options, "test", NULL, 0));
  FAILS(coppice_train(table, options, NULL, &result), COPPICE_BAD_OPTION, "names no row");

  FAILS(coppice_options_set_rows(options, "target", rows, 3), COPPICE_BAD_OPTION, "only `validation`");
  ABOUT("target", "", -1);
  FAILS(coppice_options_set_rows(options, "test", NULL, 3), COPPICE_BAD_INPUT, "the rows must not be NULL");
  FAILS(coppice_options_set_rows(options, NULL, rows, 3), COPPICE_BAD_INPUT, "the name must not be NULL");
  FAILS(coppice_options_set_rows(NULL, "test", rows, 3), COPPICE_BAD_INPUT, "the options must not be NULL");
  FAILS(coppice_options_set_table(options, "seed", table), COPPICE_BAD_OPTION, "only `validation`");
  FAILS(coppice_options_set_table(options, "test", NULL), COPPICE_BAD_INPUT, "the table must not be NULL");
  FAILS(coppice_options_set_table(options, NULL, table), COPPICE_BAD_INPUT, "the name must not be NULL");
  FAILS(coppice_options_set_table(NULL, "test", table), COPPICE_BAD_INPUT, "the options must not be NULL");
  coppice_options_free(options);
  coppice_table_free(table);
}

static void a_training_begins_with_a_model(void) {
  coppice_table* table = ring();
  coppice_model* model = trained_model();
  coppice_options* options = NULL;
  coppice_result* result = NULL;
  NEED(coppice_options_new(&options));
  NEED(coppice_options_set_warm_start(options, model));
  FAILS(coppice_options_set_warm_start(NULL, model), COPPICE_BAD_INPUT, "the options must not be NULL");
  coppice_model_free(model); /* the options hold it */
  set(options, "lambda", "1e-3");
  set(options, "max-epochs", "2");
  NEED(coppice_train(table, options, NULL, &result));
  CHECK(coppice_result_nets(result) == 1);
  FAILS(coppice_options_set_warm_start(options, NULL), COPPICE_BAD_INPUT, "the model must not be NULL");
  coppice_result_free(result);
  coppice_options_free(options);
  coppice_table_free(table);
}

void test_options(void) {
  coppice_text* json = NULL;
  NEED(coppice_settings_json(&json));
  CHECK(has(coppice_text_data(json), "\"name\":\"hidden-layers\""));
  coppice_text_free(json);
  FAILS(coppice_settings_json(NULL), COPPICE_BAD_INPUT, "the text must not be NULL");
  FAILS(coppice_options_new(NULL), COPPICE_BAD_INPUT, "the options must not be NULL");
  coppice_options_free(NULL);
  settings_are_set_by_name();
  wrong_settings_are_refused();
  rows_are_named();
  a_training_begins_with_a_model();
}
