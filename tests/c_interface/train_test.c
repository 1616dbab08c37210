#include "check.h"

static int last_net(void* user, const coppice_epoch* epoch) {
  *(size_t*)user = epoch->net;
  return 0;
}

static void nets_are_trained(void) {
  size_t net = 7;
  const coppice_callbacks callbacks = {.size = sizeof callbacks, .user = &net, .on_epoch = last_net};
  coppice_table* table = ring();
  coppice_options* options = quick();
  coppice_result* result = NULL;
  NEED(coppice_train(table, options, &callbacks, &result));
  CHECK(coppice_result_nets(result) == 2);
  CHECK(net < 2);
  CHECK(!coppice_result_stopped(result));
  coppice_result_free(result);
  coppice_options_free(options);
  coppice_table_free(table);
}

static void wrong_data_is_refused(void) {
  const double numbers[] = {1, 2, 3};
  coppice_table* table = ring();
  coppice_table* empty = NULL;
  coppice_options* options = quick();
  coppice_result* result = NULL;
  NEED(coppice_table_new(&empty));
  set(options, "target", "wher");
  FAILS(coppice_train(table, options, NULL, &result), COPPICE_BAD_OPTION, "did you mean \"where\"");
  ABOUT("target", "", -1);
  CHECK(result == NULL);
  set(options, "target", "where");
  set(options, "task", "regression");
  FAILS(coppice_train(table, options, NULL, &result), COPPICE_BAD_INPUT, "\"where\"");
  ABOUT("", "where", 0);
  FAILS(coppice_train(empty, options, NULL, &result), COPPICE_BAD_OPTION, "there are no columns");
  NEED(coppice_table_add_f64(empty, "where", numbers, 3, NULL));
  FAILS(coppice_train(empty, options, NULL, &result), COPPICE_BAD_INPUT, "column");
  FAILS(coppice_train(NULL, options, NULL, &result), COPPICE_BAD_INPUT, "the table must not be NULL");
  FAILS(coppice_train(table, NULL, NULL, &result), COPPICE_BAD_INPUT, "the options must not be NULL");
  FAILS(coppice_train(table, options, NULL, NULL), COPPICE_BAD_INPUT, "the result must not be NULL");
  coppice_options_free(options);
  coppice_table_free(empty);
  coppice_table_free(table);
}

void test_train(void) {
  nets_are_trained();
  wrong_data_is_refused();
}
