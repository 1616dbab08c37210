#include "check.h"
#include "same_models.h"

#include <unistd.h>

static void a_run_ends_as_a_training_does(const coppice_table* table) {
  coppice_options* options = quick();
  coppice_result* here = trained();
  coppice_result* there = NULL;
  NEED(coppice_run_train_table(table, options, path_of("memory"), NULL, &there));
  CHECK(same_models(here, there));
  for (int i = 0; i < 6; ++i) {
    const char* files[] = {"memory/config.json",   "memory/journal.jsonl", "memory/summary.json",
                           "memory/analysis.json", "memory/model.coppice", "memory/checkpoints/net-1.state"};
    CHECK(access(path_of(files[i]), R_OK) == 0);
  }
  coppice_result_free(there);
  NEED(coppice_run_resume_table(path_of("memory"), table, NULL, NULL, &there));
  CHECK(same_models(here, there));
  coppice_result_free(there);
  coppice_result_free(here);
  coppice_options_free(options);
}

static void a_stopped_run_is_resumed(const coppice_table* table) {
  EndAfter after = {.most = 4};
  coppice_callbacks callbacks = ending(&after);
  coppice_options* options = quick();
  coppice_table* same = ring();
  coppice_table* validation = other_ring();
  coppice_result* here = NULL;
  coppice_result* there = NULL;
  set(options, "max-epochs", "60"); /* so that it does not end before it is stopped */
  NEED(coppice_options_set_table(options, "validation", validation));
  NEED(coppice_train(table, options, NULL, &here));
  FAILS(coppice_run_train_table(table, options, path_of("stopped_table"), &callbacks, &there),
        COPPICE_INTERRUPTED, "can be resumed");
  CHECK(there == NULL);
  FAILS(coppice_run_resume_table(path_of("stopped_table"), same, NULL, NULL, &there), COPPICE_BAD_INPUT,
        "the validation rows are not those the run was started with");
  NEED(coppice_run_resume_table(path_of("stopped_table"), same, options, NULL, &there));
  CHECK(same_models(here, there));
  coppice_result_free(there);
  coppice_result_free(here);
  coppice_table_free(validation);
  coppice_table_free(same);
  coppice_options_free(options);
}

static void wrong_runs_are_refused(const coppice_table* table) {
  coppice_options* options = quick();
  coppice_callbacks no_size = {.size = 0};
  coppice_table* other = other_ring();
  coppice_result* result = NULL;
  FAILS(coppice_run_train_table(table, options, path_of("memory"), NULL, &result), COPPICE_BAD_INPUT,
        "resume it with that table");
  FAILS(coppice_run_resume(path_of("memory"), NULL, &result), COPPICE_BAD_INPUT, "coppice_run_resume_table");
  FAILS(coppice_run_resume_table(path_of("memory"), other, NULL, NULL, &result), COPPICE_BAD_INPUT,
        "hand in the same");
  set(options, "seed", "3");
  FAILS(coppice_run_resume_table(path_of("memory"), table, options, NULL, &result), COPPICE_BAD_OPTION,
        "`seed`");
  ABOUT("seed", "", -1);
  CHECK(result == NULL);

  FAILS(coppice_run_train_table(NULL, options, path_of("none"), NULL, &result), COPPICE_BAD_INPUT,
        "the table must not be NULL");
  FAILS(coppice_run_train_table(table, NULL, path_of("none"), NULL, &result), COPPICE_BAD_INPUT,
        "the options must not be NULL");
  FAILS(coppice_run_train_table(table, options, NULL, NULL, &result), COPPICE_BAD_INPUT,
        "the directory must not be NULL");
  FAILS(coppice_run_train_table(table, options, path_of("none"), &no_size, &result), COPPICE_BAD_INPUT,
        "is not set");
  FAILS(coppice_run_train_table(table, options, path_of("none"), NULL, NULL), COPPICE_BAD_INPUT,
        "the result must not be NULL");
  CHECK(access(path_of("none"), F_OK) != 0);
  FAILS(coppice_run_resume_table(path_of("none"), table, NULL, NULL, &result), COPPICE_FILE, "holds no run");
  FAILS(coppice_run_resume_table(NULL, table, NULL, NULL, &result), COPPICE_BAD_INPUT,
        "the directory must not be NULL");
  FAILS(coppice_run_resume_table(path_of("memory"), NULL, NULL, NULL, &result), COPPICE_BAD_INPUT,
        "the table must not be NULL");
  FAILS(coppice_run_resume_table(path_of("memory"), table, NULL, &no_size, &result), COPPICE_BAD_INPUT,
        "is not set");
  FAILS(coppice_run_resume_table(path_of("memory"), table, NULL, NULL, NULL), COPPICE_BAD_INPUT,
        "the result must not be NULL");
  coppice_table_free(other);
  coppice_options_free(options);
}

void test_run_table(void) {
  coppice_table* table = ring();
  a_run_ends_as_a_training_does(table);
  a_stopped_run_is_resumed(table);
  wrong_runs_are_refused(table);
  coppice_table_free(table);
}
