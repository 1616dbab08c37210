#include "check.h"
#include "same_models.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A ring as a csv file. */
static char* ring_file(char* path) {
  strcpy(path, path_of("ring.csv"));
  FILE* file = fopen(path, "wb");
  unsigned state = 1;
  fputs("x,y,where\n", file);
  for (int i = 0; i < ring_rows; ++i) {
    state = state * 1664525u + 1013904223u;
    const double x = (double)(state >> 16) / 32768 - 1;
    state = state * 1664525u + 1013904223u;
    const double y = (double)(state >> 16) / 32768 - 1;
    fprintf(file, "%.17g,%.17g,%s\n", x, y, x * x + y * y < 0.6 ? "in" : "out");
  }
  fclose(file);
  return path;
}

/* Whether two results tell of the same epochs, whatever the order of their nets. */
static int same_epochs(const coppice_result* a, const coppice_result* b) {
  coppice_epoch of_a = {.size = sizeof of_a};
  coppice_epoch of_b = {.size = sizeof of_b};
  const size_t count = coppice_result_epochs(a);
  size_t found = 0;
  for (size_t i = 0; i < count; ++i) {
    NEED(coppice_result_epoch(a, i, &of_a));
    for (size_t j = 0; j < coppice_result_epochs(b); ++j) {
      NEED(coppice_result_epoch(b, j, &of_b));
      found += of_a.net == of_b.net && of_a.epoch == of_b.epoch && of_a.steps == of_b.steps &&
               strcmp(of_a.phase, of_b.phase) == 0 && of_a.validation_error == of_b.validation_error &&
               of_a.train_loss == of_b.train_loss && of_a.lambda == of_b.lambda &&
               of_a.waited == of_b.waited && of_a.patience == of_b.patience &&
               of_a.epochs_to_go == of_b.epochs_to_go && of_a.hidden_layers == of_b.hidden_layers &&
               of_a.hidden_units[0] == of_b.hidden_units[0] && of_a.running == of_b.running;
    }
  }
  return count > 0 && found == count && coppice_result_epochs(b) == count;
}

static void a_run_has_a_report(void) {
  coppice_text* path = NULL;
  NEED(coppice_run_report(path_of("run"), &path));
  CHECK(strcmp(coppice_text_data(path), path_of("run/report.html")) == 0);
  CHECK(access(path_of("run/report.html"), R_OK) == 0);
  coppice_text_free(path);
  FAILS(coppice_run_report(path_of("none"), &path), COPPICE_BAD_INPUT, "there is no such directory");
  CHECK(path == NULL);
  FAILS(coppice_run_report(NULL, &path), COPPICE_BAD_INPUT, "the directory must not be NULL");
  FAILS(coppice_run_report(path_of("run"), NULL), COPPICE_BAD_INPUT, "the text must not be NULL");
}

static void a_run_ends_as_a_training_does(const char* data) {
  coppice_options* options = quick();
  coppice_result* here = trained();
  coppice_result* there = NULL;
  NEED(coppice_run_train(data, options, path_of("run"), NULL, &there));
  CHECK(same_models(here, there));
  CHECK(same_epochs(here, there));
  CHECK(access(path_of("run/summary.json"), R_OK) == 0);
  CHECK(access(path_of("run/model.coppice"), R_OK) == 0);
  coppice_result_free(there);
  /* It has ended: resuming gives it again. */
  NEED(coppice_run_resume(path_of("run"), NULL, &there));
  CHECK(same_models(here, there));
  coppice_result_free(there);
  FAILS(coppice_run_train(data, options, path_of("run"), NULL, &there), COPPICE_BAD_INPUT,
        "already holds a run");
  CHECK(there == NULL);
  coppice_result_free(here);
  coppice_options_free(options);
}

static void a_stopped_run_is_resumed(const char* data) {
  EndAfter after = {.most = 4};
  coppice_callbacks callbacks = ending(&after);
  coppice_options* options = quick();
  coppice_result* here = NULL;
  coppice_result* there = NULL;
  coppice_table* table = ring();
  set(options, "max-epochs", "60"); /* so that it does not end before it is stopped */
  NEED(coppice_train(table, options, NULL, &here));
  FAILS(coppice_run_train(data, options, path_of("stopped"), &callbacks, &there), COPPICE_INTERRUPTED,
        "can be resumed");
  CHECK(there == NULL);
  NEED(coppice_run_resume(path_of("stopped"), NULL, &there));
  CHECK(same_models(here, there));
  coppice_result_free(there);
  coppice_result_free(here);
  coppice_table_free(table);
  coppice_options_free(options);
}

static void wrong_runs_are_refused(const char* data) {
  coppice_options* options = quick();
  coppice_callbacks no_size = {.size = 0};
  coppice_table* table = ring();
  coppice_result* result = NULL;
  FAILS(coppice_run_train("/there/is/none.csv", options, path_of("none"), NULL, &result), COPPICE_FILE,
        "/there/is/none.csv");
  CHECK(access(path_of("none"), F_OK) != 0);
  FAILS(coppice_run_train(NULL, options, path_of("none"), NULL, &result), COPPICE_BAD_INPUT,
        "the data must not be NULL");
  FAILS(coppice_run_train(data, NULL, path_of("none"), NULL, &result), COPPICE_BAD_INPUT,
        "the options must not be NULL");
  FAILS(coppice_run_train(data, options, NULL, NULL, &result), COPPICE_BAD_INPUT,
        "the directory must not be NULL");
  FAILS(coppice_run_train(data, options, path_of("none"), &no_size, &result), COPPICE_BAD_INPUT,
        "is not set");
  FAILS(coppice_run_train(data, options, path_of("none"), NULL, NULL), COPPICE_BAD_INPUT,
        "the result must not be NULL");
  CHECK(access(path_of("none"), F_OK) != 0);
  NEED(coppice_options_set_table(options, "validation", table));
  FAILS(coppice_run_train(data, options, path_of("none"), NULL, &result), COPPICE_BAD_OPTION, "give a file");
  ABOUT("validation", "", -1);

  FAILS(coppice_run_resume(path_of("none"), NULL, &result), COPPICE_FILE, "holds no run");
  FAILS(coppice_run_resume(NULL, NULL, &result), COPPICE_BAD_INPUT, "the directory must not be NULL");
  FAILS(coppice_run_resume(path_of("run"), NULL, NULL), COPPICE_BAD_INPUT, "the result must not be NULL");
  FAILS(coppice_run_resume(path_of("run"), &no_size, &result), COPPICE_BAD_INPUT, "is not set");
  FAILS(coppice_run_resume_table(path_of("run"), table, NULL, NULL, &result), COPPICE_BAD_INPUT,
        "the data was a file");
  write_text(path_of("run/config.json"), "{\"data\": 3}");
  FAILS(coppice_run_resume(path_of("run"), NULL, &result), COPPICE_FILE, "start a new run");
  CHECK(result == NULL);
  coppice_table_free(table);
  coppice_options_free(options);
}

void test_run(void) {
  char data[128];
  ring_file(data);
  a_run_ends_as_a_training_does(data);
  a_run_has_a_report();
  a_stopped_run_is_resumed(data);
  wrong_runs_are_refused(data);
}
