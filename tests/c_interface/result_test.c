#include "check.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static void nets_are_told(const coppice_result* result) {
  coppice_net net = {.size = sizeof net};
  NEED(coppice_result_net(result, 1, &net));
  CHECK(net.size == sizeof net);
  CHECK(net.lambda > 0 && net.parameters > 0 && net.bytes > 0 && net.epochs > 0);
  CHECK(net.hidden_layers >= 1 && net.hidden_units != NULL);
  CHECK(net.validation_error >= 0 && net.validation_error <= 1 && net.train_loss > 0);
  CHECK(isnan(net.test_error));
  CHECK(strlen(net.phase) > 0);
  CHECK(net.dominated == 0 || net.dominated == 1);
  CHECK(net.fold == 0 && net.member_count == 0 && net.log_loss > 0);

  untouched(&net, sizeof net);
  net.size = offsetof(coppice_net, parameters);
  NEED(coppice_result_net(result, 1, &net));
  CHECK(net.size == offsetof(coppice_net, parameters) && net.hidden_layers >= 1);
  CHECK(is_untouched(&net, offsetof(coppice_net, parameters), sizeof net));
  net.size = 0;
  FAILS(coppice_result_net(result, 1, &net), COPPICE_BAD_INPUT, "set it to sizeof");
  FAILS(coppice_result_net(result, 2, &net), COPPICE_BAD_INPUT, "there is no net 2; there are 2");
  FAILS(coppice_result_net(result, COPPICE_NO_NET, &net), COPPICE_BAD_INPUT, "there is no net");
  FAILS(coppice_result_net(result, 0, NULL), COPPICE_BAD_INPUT, "the net must not be NULL");
  FAILS(coppice_result_net(NULL, 0, &net), COPPICE_BAD_INPUT, "the result must not be NULL");
}

static void epochs_are_told(const coppice_result* result) {
  coppice_epoch epoch = {.size = sizeof epoch};
  const size_t epochs = coppice_result_epochs(result);
  CHECK(epochs >= 2);
  NEED(coppice_result_epoch(result, epochs - 1, &epoch));
  CHECK(epoch.size == sizeof epoch && epoch.running == 0 && epoch.epoch >= 1 && strlen(epoch.phase) > 0);

  untouched(&epoch, sizeof epoch);
  epoch.size = offsetof(coppice_epoch, steps);
  NEED(coppice_result_epoch(result, 0, &epoch));
  CHECK(epoch.net < 2 && epoch.epoch == 1);
  CHECK(is_untouched(&epoch, offsetof(coppice_epoch, steps), sizeof epoch));
  epoch.size = 0;
  FAILS(coppice_result_epoch(result, 0, &epoch), COPPICE_BAD_INPUT, "set it to sizeof");
  FAILS(coppice_result_epoch(result, epochs, &epoch), COPPICE_BAD_INPUT, "there is no epoch");
  FAILS(coppice_result_epoch(result, 0, NULL), COPPICE_BAD_INPUT, "the epoch must not be NULL");
  FAILS(coppice_result_epoch(NULL, 0, &epoch), COPPICE_BAD_INPUT, "the result must not be NULL");
}

static void nets_are_handed_out_as_models(const coppice_result* result) {
  coppice_model* model = NULL;
  for (size_t net = 0; net < coppice_result_nets(result); ++net) {
    NEED(coppice_result_model(result, net, &model));
    coppice_model_free(model);
  }
  NEED(coppice_result_model(result, COPPICE_NO_NET, &model));
  coppice_model_free(model);
  FAILS(coppice_result_model(result, 2, &model), COPPICE_BAD_INPUT, "there is no net 2; there are 2");
  CHECK(model == NULL);
  FAILS(coppice_result_model(result, 0, NULL), COPPICE_BAD_INPUT, "the model must not be NULL");
  FAILS(coppice_result_model(NULL, 0, &model), COPPICE_BAD_INPUT, "the result must not be NULL");
}

static void nets_answer_together(void) {
  coppice_table* table = ring();
  coppice_options* options = quick();
  coppice_result* result = NULL;
  coppice_net net = {.size = sizeof net};
  coppice_net member = {.size = sizeof member};
  set(options, "ensemble", "3");
  set(options, "max-epochs", "1000"); /* nets that were cut off answer alone */
  NEED(coppice_train(table, options, NULL, &result));
  NEED(coppice_result_net(result, coppice_result_nets(result) - 1, &net));
  CHECK(net.member_count == 3 && net.members != NULL);
  for (size_t i = 0; i < net.member_count; ++i) {
    NEED(coppice_result_net(result, net.members[i], &member));
    CHECK(member.fold == i && member.member_count == 0);
  }
  coppice_result_free(result);
  coppice_options_free(options);
  coppice_table_free(table);
}

static void other_rules_pick_others(const coppice_result* result) {
  coppice_net nets[2] = {{.size = sizeof nets[0]}, {.size = sizeof nets[1]}};
  size_t net = 7;
  NEED(coppice_result_net(result, 0, &nets[0]));
  NEED(coppice_result_net(result, 1, &nets[1]));
  const size_t smaller = nets[0].parameters < nets[1].parameters ? 0 : 1;
  CHECK(nets[0].parameters != nets[1].parameters);
  NEED(coppice_result_pick(result, "best", 0, 0, &net));
  CHECK(net == coppice_result_best(result));
  NEED(coppice_result_pick(result, "best", nets[smaller].parameters, 0, &net));
  CHECK(net == smaller);
  NEED(coppice_result_pick(result, "best", 0, nets[smaller].bytes, &net));
  CHECK(net == smaller);
  FAILS(coppice_result_pick(result, "best", 1, 0, &net), COPPICE_BAD_OPTION,
        "no net fits `max-parameters` 1");
  ABOUT("max-parameters", "", -1);
  CHECK(net == COPPICE_NO_NET);
  FAILS(coppice_result_pick(result, "best", 0, 1, &net), COPPICE_BAD_OPTION, "no net fits `max-bytes` 1");
  ABOUT("max-bytes", "", -1);
  FAILS(coppice_result_pick(result, "largest", 0, 0, &net), COPPICE_BAD_OPTION, "must be one of");
  FAILS(coppice_result_pick(result, NULL, 0, 0, &net), COPPICE_BAD_INPUT, "the rule must not be NULL");
  FAILS(coppice_result_pick(NULL, "best", 0, 0, &net), COPPICE_BAD_INPUT, "the result must not be NULL");
  FAILS(coppice_result_pick(result, "best", 0, 0, NULL), COPPICE_BAD_INPUT, "the net must not be NULL");
}

static void no_net_may_fit(void) {
  coppice_table* table = ring();
  coppice_options* options = quick();
  coppice_result* result = NULL;
  coppice_model* model = NULL;
  set(options, "max-bytes", "1");
  NEED(coppice_train(table, options, NULL, &result));
  CHECK(coppice_result_chosen(result) == COPPICE_NO_NET);
  CHECK(coppice_result_best(result) < coppice_result_nets(result));
  FAILS(coppice_result_model(result, COPPICE_NO_NET, &model), COPPICE_BAD_OPTION, "`max-bytes`");
  ABOUT("max-bytes", "", -1);
  coppice_result_free(result);
  coppice_options_free(options);
  coppice_table_free(table);
}

void test_result(void) {
  coppice_result* result = trained();
  coppice_text* json = NULL;
  CHECK(coppice_result_nets(result) == 2);
  CHECK(coppice_result_best(result) < 2);
  CHECK(coppice_result_chosen(result) < 2);
  CHECK(coppice_result_stopped(result) == 0);
  nets_are_told(result);
  epochs_are_told(result);
  nets_are_handed_out_as_models(result);
  other_rules_pick_others(result);
  NEED(coppice_result_json(result, &json));
  CHECK(has(coppice_text_data(json), "\"nets\":[{") && has(coppice_text_data(json), "\"stopped\":false"));
  coppice_text_free(json);
  FAILS(coppice_result_json(result, NULL), COPPICE_BAD_INPUT, "the text must not be NULL");
  FAILS(coppice_result_json(NULL, &json), COPPICE_BAD_INPUT, "the result must not be NULL");
  coppice_result_free(result);
  no_net_may_fit();
  nets_answer_together();
  CHECK(coppice_result_nets(NULL) == 0 && coppice_result_epochs(NULL) == 0);
  CHECK(coppice_result_best(NULL) == COPPICE_NO_NET && coppice_result_chosen(NULL) == COPPICE_NO_NET);
  CHECK(coppice_result_stopped(NULL) == 0);
  coppice_result_free(NULL);
}
