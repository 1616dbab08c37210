/* Every function of coppice_c.h, called from C99 with what is right and with what is wrong. Runs the topics that are named,
 * or all. */
#include "check.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char* name;
  void (*test)(void);
} topics[] = {{"library", test_library},     {"table", test_table},
              {"options", test_options},     {"train", test_train},
              {"callbacks", test_callbacks}, {"run", test_run},
              {"run_table", test_run_table}, {"result", test_result},
              {"search", test_search},       {"model", test_model},
              {"predict", test_predict},     {"explain", test_explain},
              {"export", test_export},       {"threads", test_threads},
              {"training", test_training},   {"growing_table", test_growing_table}};

int main(int count, char** names) {
  int run = 0;
  for (size_t i = 0; i < sizeof topics / sizeof *topics; ++i) {
    int wanted = count == 1;
    for (int n = 1; n < count; ++n) wanted = wanted || strcmp(names[n], topics[i].name) == 0;
    if (wanted) topics[i].test();
    run += wanted;
  }
  remove_folder();
  if (run == 0) fprintf(stderr, "there is no such topic\n");
  if (failed_checks() > 0) fprintf(stderr, "%d checks failed\n", failed_checks());
  return run > 0 && failed_checks() == 0 ? 0 : 1;
}
