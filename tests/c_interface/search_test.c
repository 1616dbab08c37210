#include "check.h"

static int end(void* user, const coppice_epoch* epoch) {
  (void)epoch;
  return ++*(int*)user >= 2;
}
static int always(void* user) {
  (void)user;
  return 1;
}

void test_search(void) {
  const char* space[] = {"trials", "3", "hidden", "2-6"};
  const char* unknown[] = {"trails", "3"};
  const char* wrong[] = {"trials", "many"};
  const char* none[] = {"trials", NULL};
  int epochs = 0;
  const coppice_callbacks ending = {.size = sizeof ending, .user = &epochs, .on_epoch = end};
  const coppice_callbacks stopping = {.size = sizeof stopping, .stop = always};
  coppice_table* table = ring();
  coppice_options* options = NULL;
  coppice_text* json = NULL;
  coppice_model* model = NULL;
  NEED(coppice_options_new(&options));
  set(options, "target", "where");
  set(options, "effort", "quick");
  set(options, "max-epochs", "5");
  set(options, "device", "cpu");

  NEED(coppice_search(table, "random", space, 4, options, NULL, &json, &model));
  CHECK(has(coppice_text_data(json), "\"nets\":3,"));
  CHECK(model != NULL);
  coppice_text_free(json);
  coppice_model_free(model);

  FAILS(coppice_search(table, "random", space, 4, options, &ending, &json, &model), COPPICE_INTERRUPTED,
        "a callback asked to stop");
  CHECK(json == NULL && model == NULL && epochs == 2);
  FAILS(coppice_search(table, "random", space, 4, options, &stopping, &json, &model), COPPICE_INTERRUPTED,
        "stop");
  FAILS(coppice_search(table, "clever", space, 4, options, NULL, &json, &model), COPPICE_BAD_INPUT,
        "there are grid and random");
  FAILS(coppice_search(table, "random", unknown, 2, options, NULL, &json, &model), COPPICE_BAD_OPTION,
        "there are `");
  ABOUT("trails", "", -1);
  FAILS(coppice_search(table, "random", wrong, 2, options, NULL, &json, &model), COPPICE_BAD_OPTION,
        "`trials`");
  ABOUT("trials", "", -1);
  FAILS(coppice_search(table, "random", space, 3, options, NULL, &json, &model), COPPICE_BAD_OPTION,
        "`hidden`: has no value");
  ABOUT("hidden", "", -1);
  FAILS(coppice_search(table, "random", none, 2, options, NULL, &json, &model), COPPICE_BAD_INPUT,
        "must not be NULL");
  FAILS(coppice_search(table, "random", NULL, 2, options, NULL, &json, &model), COPPICE_BAD_INPUT,
        "must not be NULL");
  FAILS(coppice_search(table, NULL, space, 4, options, NULL, &json, &model), COPPICE_BAD_INPUT,
        "the kind must not be NULL");
  FAILS(coppice_search(NULL, "random", space, 4, options, NULL, &json, &model), COPPICE_BAD_INPUT,
        "the table must not be NULL");
  FAILS(coppice_search(table, "random", space, 4, NULL, NULL, &json, &model), COPPICE_BAD_INPUT,
        "the options must not be NULL");
  FAILS(coppice_search(table, "random", space, 4, options, NULL, NULL, &model), COPPICE_BAD_INPUT,
        "the text must not be NULL");
  FAILS(coppice_search(table, "random", space, 4, options, NULL, &json, NULL), COPPICE_BAD_INPUT,
        "the model must not be NULL");
  coppice_options_free(options);
  coppice_table_free(table);
}
