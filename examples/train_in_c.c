/* Trains and predicts from C99. */
#include <coppice/coppice_c.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS 600

/* Ends the program with the library's sentence if a call failed. */
static void need(coppice_status status) {
  coppice_error error = {.size = sizeof error};
  if (status == COPPICE_OK) return;
  coppice_last_error(&error);
  fprintf(stderr, "%s\n", error.message);
  exit(1);
}

static int print_epoch(void* user, const coppice_epoch* epoch) {
  size_t* epochs = user;
  if (++*epochs % 20 == 0) printf("epoch %zu: error %g\n", epoch->epoch, epoch->validation_error);
  return 0;
}

int main(void) {
  static double x[ROWS], y[ROWS];
  for (int i = 0; i < ROWS; ++i) {
    x[i] = i / 100.0;
    y[i] = x[i] < 3 ? x[i] : 6 - x[i];
  }
  coppice_table* table = NULL;
  need(coppice_table_new(&table));
  need(coppice_table_add_f64(table, "x", x, ROWS, NULL));
  need(coppice_table_add_f64(table, "y", y, ROWS, NULL));

  coppice_options* options = NULL;
  const char* settings[][2] = {{"target", "y"}, {"task", "regression"}, {"effort", "quick"}};
  need(coppice_options_new(&options));
  for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i)
    need(coppice_options_set(options, settings[i][0], &settings[i][1], 1));

  size_t epochs = 0;
  coppice_callbacks callbacks = {.size = sizeof callbacks, .user = &epochs, .on_epoch = print_epoch};
  coppice_result* result = NULL;
  need(coppice_train(table, options, &callbacks, &result));

  coppice_model* model = NULL;
  coppice_prediction* prediction = NULL;
  need(coppice_result_model(result, COPPICE_NO_NET, &model));
  need(coppice_model_predict(model, table, NULL, &prediction));
  const double top = coppice_prediction_values(prediction)[300];
  printf("%zu epochs of %zu nets; at x = 3 the model says %g\n", epochs, coppice_result_nets(result), top);

  coppice_prediction_free(prediction);
  coppice_model_free(model);
  coppice_result_free(result);
  coppice_options_free(options);
  coppice_table_free(table);
  return top > 2 && top < 4 ? 0 : 1;
}
