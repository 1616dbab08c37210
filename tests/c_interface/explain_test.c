#include "check.h"

#include <math.h>
#include <string.h>

static void parts_sum_to_scores(const coppice_model* model, const coppice_table* table) {
  coppice_explanation* explanation = NULL;
  NEED(coppice_model_explain(model, table, NULL, &explanation));
  CHECK(coppice_explanation_rows(explanation) == ring_rows);
  CHECK(coppice_explanation_column_count(explanation) == 2);
  CHECK(strcmp(coppice_explanation_column_name(explanation, 0), "x") == 0);
  CHECK(strcmp(coppice_explanation_column_name(explanation, 1), "y") == 0);
  CHECK(coppice_explanation_column_name(explanation, 2) == NULL);
  for (size_t row = 0; row < ring_rows; ++row) {
    const double* parts = coppice_explanation_contributions(explanation) + 2 * row;
    const double sum = coppice_explanation_baselines(explanation)[row] + parts[0] + parts[1];
    CHECK(fabs(sum - coppice_explanation_scores(explanation)[row]) < 1e-9);
    CHECK(coppice_explanation_classes(explanation)[row] < 2);
  }
  coppice_explanation_free(explanation);
}

static void a_class_and_rows_may_be_named(const coppice_model* model, const coppice_table* table) {
  const uint32_t rows[] = {5, 2};
  const uint32_t beyond[] = {100000};
  coppice_explain_options options = {
      .size = sizeof options, .threads = 1, .class_name = "out", .rows = rows, .row_count = 2};
  coppice_explanation* explanation = NULL;
  NEED(coppice_model_explain(model, table, &options, &explanation));
  CHECK(coppice_explanation_rows(explanation) == 2);
  CHECK(coppice_explanation_classes(explanation)[0] == 1);
  coppice_explanation_free(explanation);
  options.rows = beyond;
  options.row_count = 1;
  FAILS(coppice_model_explain(model, table, &options, &explanation), COPPICE_BAD_OPTION, "no row 100001");
  CHECK(explanation == NULL);
  options.rows = NULL;
  options.class_name = "nowhere";
  FAILS(coppice_model_explain(model, table, &options, &explanation), COPPICE_BAD_OPTION, "nowhere");
  ABOUT("class", "", -1);
  options.size = 0;
  FAILS(coppice_model_explain(model, table, &options, &explanation), COPPICE_BAD_INPUT, "set it to sizeof");
}

static void nothing_is_refused(const coppice_model* model, const coppice_table* table) {
  coppice_explanation* explanation = NULL;
  FAILS(coppice_model_explain(NULL, table, NULL, &explanation), COPPICE_BAD_INPUT,
        "the model must not be NULL");
  FAILS(coppice_model_explain(model, NULL, NULL, &explanation), COPPICE_BAD_INPUT,
        "the table must not be NULL");
  FAILS(coppice_model_explain(model, table, NULL, NULL), COPPICE_BAD_INPUT,
        "the explanation must not be NULL");
  CHECK(coppice_explanation_rows(NULL) == 0 && coppice_explanation_column_count(NULL) == 0);
  CHECK(coppice_explanation_column_name(NULL, 0) == NULL);
  CHECK(coppice_explanation_contributions(NULL) == NULL && coppice_explanation_baselines(NULL) == NULL);
  CHECK(coppice_explanation_scores(NULL) == NULL && coppice_explanation_classes(NULL) == NULL);
  coppice_explanation_free(NULL);
}

void test_explain(void) {
  coppice_model* model = trained_model();
  coppice_table* table = ring();
  parts_sum_to_scores(model, table);
  a_class_and_rows_may_be_named(model, table);
  nothing_is_refused(model, table);
  coppice_table_free(table);
  coppice_model_free(model);
}
