#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* What one thread asks for, over and over, and whether it was ever told of something else. */
typedef struct Work {
  const coppice_model* model;
  const coppice_table* table;
  char wrong[32];
  int mistakes;
} Work;

static int told_of(const char* name) {
  coppice_error error = {.size = sizeof error};
  coppice_last_error(&error);
  return error.status == COPPICE_BAD_OPTION && strcmp(error.option, name) == 0 && has(error.message, name);
}

static void* work(void* user) {
  Work* mine = user;
  const char* value = "1";
  coppice_options* options = NULL;
  coppice_error fresh = {.size = sizeof fresh};
  coppice_last_error(&fresh);
  if (fresh.status != COPPICE_OK || strlen(fresh.message) > 0 || fresh.row != -1) ++mine->mistakes;
  if (coppice_options_new(&options) != COPPICE_OK) ++mine->mistakes;
  for (int i = 0; i < 500; ++i) {
    if (coppice_options_set(options, mine->wrong, &value, 1) != COPPICE_BAD_OPTION) ++mine->mistakes;
    coppice_prediction* prediction = NULL;
    if (i % 50 == 0 && coppice_model_predict(mine->model, mine->table, NULL, &prediction) != COPPICE_OK)
      ++mine->mistakes;
    coppice_prediction_free(prediction);
    if (!told_of(mine->wrong)) ++mine->mistakes; /* what succeeds changes nothing */
  }
  coppice_options_free(options);
  return NULL;
}

void test_threads(void) {
  enum { count = 4 };
  pthread_t threads[count];
  Work works[count];
  const char* value = "1";
  coppice_model* model = trained_model();
  coppice_table* table = ring();
  coppice_options* options = quick();
  FAILS(coppice_options_set(options, "of-the-first-thread", &value, 1), COPPICE_BAD_OPTION, "first-thread");
  for (int i = 0; i < count; ++i) {
    works[i].model = model;
    works[i].table = table;
    works[i].mistakes = 0;
    snprintf(works[i].wrong, sizeof works[i].wrong, "setting-of-thread-%d", i);
    CHECK(pthread_create(&threads[i], NULL, work, &works[i]) == 0);
  }
  for (int i = 0; i < count; ++i) {
    CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(works[i].mistakes == 0);
  }
  CHECK(told_of("of-the-first-thread"));
  coppice_options_free(options);
  coppice_table_free(table);
  coppice_model_free(model);
}
