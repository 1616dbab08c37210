#include "same_models.h"

#include "check.h"

#include <string.h>

static coppice_text* bytes_of(const coppice_result* result, size_t net) {
  coppice_model* model = NULL;
  coppice_text* bytes = NULL;
  NEED(coppice_result_model(result, net, &model));
  NEED(coppice_model_bytes(model, &bytes));
  coppice_model_free(model);
  return bytes;
}

int same_models(const coppice_result* a, const coppice_result* b) {
  int same = coppice_result_nets(a) == coppice_result_nets(b) && coppice_result_nets(a) > 0;
  for (size_t net = 0; same && net < coppice_result_nets(a); ++net) {
    coppice_text* of_a = bytes_of(a, net);
    coppice_text* of_b = bytes_of(b, net);
    same = coppice_text_size(of_a) == coppice_text_size(of_b) &&
           memcmp(coppice_text_data(of_a), coppice_text_data(of_b), coppice_text_size(of_a)) == 0;
    coppice_text_free(of_a);
    coppice_text_free(of_b);
  }
  return same;
}

static int count(void* user, const coppice_epoch* epoch) {
  (void)epoch;
  ++((EndAfter*)user)->epochs;
  return 0;
}

static int enough(void* user) {
  const EndAfter* after = user;
  return after->epochs >= after->most;
}

coppice_callbacks ending(EndAfter* after) {
  const coppice_callbacks all = {.size = sizeof all, .user = after, .on_epoch = count, .stop = enough};
  return all;
}
