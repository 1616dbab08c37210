#include "check.h"

#include <string.h>

static int count_epoch(void* user, const coppice_epoch* epoch) {
  CHECK(epoch->epoch >= 1 && epoch->hidden_layers >= 1);
  ++*(size_t*)user;
  return 0;
}

static int count_begin(void* user, const char* info_json) {
  CHECK(has(info_json, "\"train_rows\":"));
  ++*(size_t*)user;
  return 0;
}

static int always(void* user) {
  (void)user;
  return 1;
}

static void same_model(const coppice_result* one, const coppice_result* other, size_t net) {
  coppice_model* models[2] = {NULL, NULL};
  coppice_text* bytes[2] = {NULL, NULL};
  NEED(coppice_result_model(one, net, &models[0]));
  NEED(coppice_result_model(other, net, &models[1]));
  for (int i = 0; i < 2; ++i) NEED(coppice_model_bytes(models[i], &bytes[i]));
  CHECK(coppice_text_size(bytes[0]) == coppice_text_size(bytes[1]));
  CHECK(memcmp(coppice_text_data(bytes[0]), coppice_text_data(bytes[1]), coppice_text_size(bytes[0])) == 0);
  for (int i = 0; i < 2; ++i) {
    coppice_text_free(bytes[i]);
    coppice_model_free(models[i]);
  }
}

/* Two of them train the nets in turn and take each other's. */
static void several_train_what_one_does(void) {
  coppice_table* table = ring();
  coppice_options* options = quick();
  coppice_training* sharers[2] = {NULL, NULL};
  coppice_result *together = NULL, *alone = NULL;
  size_t epochs = 0, begins = 0, nets = 0;
  const coppice_callbacks begin = {.size = sizeof begin, .user = &begins, .on_begin = count_begin};
  const coppice_callbacks watch = {.size = sizeof watch, .user = &epochs, .on_epoch = count_epoch};
  set(options, "ensemble", "2");
  for (int i = 0; i < 2; ++i) NEED(coppice_training_new(table, options, &begin, &sharers[i]));
  CHECK(begins == 2);
  while (coppice_training_waiting(sharers[0]) > 0) {
    coppice_text* trained = NULL;
    const size_t net = coppice_training_net(sharers[0], 0);
    CHECK(net == nets);
    CHECK(coppice_training_net(sharers[1], 0) == net);
    CHECK(coppice_training_net(sharers[0], 1000) == COPPICE_NO_NET);
    NEED(coppice_training_train(sharers[nets++ % 2], net, 1, NULL, &trained));
    for (int i = 0; i < 2; ++i)
      NEED(coppice_training_take(sharers[i], coppice_text_data(trained), coppice_text_size(trained),
                                 i == 0 ? &watch : NULL));
    coppice_text_free(trained);
  }
  NEED(coppice_training_finish(sharers[0], NULL, &together));
  NEED(coppice_train(table, options, NULL, &alone));
  CHECK(!coppice_result_stopped(together));
  CHECK(coppice_result_nets(together) == coppice_result_nets(alone));
  CHECK(coppice_result_epochs(together) == coppice_result_epochs(alone));
  CHECK(coppice_result_epochs(together) == epochs);
  for (size_t net = 0; net < coppice_result_nets(alone); ++net) same_model(together, alone, net);
  coppice_result_free(alone);
  coppice_result_free(together);
  for (int i = 0; i < 2; ++i) coppice_training_free(sharers[i]);
  coppice_options_free(options);
  coppice_table_free(table);
}

static void what_is_wrong_is_told(void) {
  const coppice_callbacks at_once = {.size = sizeof at_once, .stop = always};
  coppice_table* table = ring();
  coppice_options* options = quick();
  coppice_training* training = NULL;
  coppice_text* trained = NULL;
  coppice_result* result = NULL;
  FAILS(coppice_training_new(NULL, options, NULL, &training), COPPICE_BAD_INPUT,
        "the table must not be NULL");
  FAILS(coppice_training_new(table, options, &at_once, &training), COPPICE_INTERRUPTED, "stop");
  CHECK(training == NULL);
  NEED(coppice_training_new(table, options, NULL, &training));
  FAILS(coppice_training_train(training, 99, 1, NULL, &trained), COPPICE_BAD_INPUT, "net 99 does not wait");
  FAILS(coppice_training_train(training, 0, 1, &at_once, &trained), COPPICE_INTERRUPTED, "stop");
  CHECK(trained == NULL);
  FAILS(coppice_training_take(training, "no net", 6, NULL), COPPICE_BAD_INPUT, "no net");
  FAILS(coppice_training_take(training, NULL, 0, NULL), COPPICE_BAD_INPUT, "must not be NULL");
  FAILS(coppice_training_finish(training, NULL, &result), COPPICE_INTERRUPTED, "no net was trained");
  CHECK(result == NULL);
  CHECK(coppice_training_waiting(NULL) == 0 && coppice_training_net(NULL, 0) == COPPICE_NO_NET);
  coppice_training_free(training);
  coppice_training_free(NULL);
  coppice_options_free(options);
  coppice_table_free(table);
}

void test_training(void) {
  several_train_what_one_does();
  what_is_wrong_is_told();
}
