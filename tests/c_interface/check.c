#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failed = 0;
static char folder[64];

void check(int holds, const char* what, const char* file, int line) {
  if (holds) return;
  ++failed;
  fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
}

static coppice_error last_error(void) {
  coppice_error error = {.size = sizeof error};
  coppice_last_error(&error);
  return error;
}

void need(coppice_status status, const char* what, const char* file, int line) {
  if (status == COPPICE_OK) return;
  fprintf(stderr, "%s:%d: %s: failed: %s\n", file, line, what, last_error().message);
  remove_folder();
  exit(1);
}

void fails(coppice_status got, coppice_status status, const char* part, const char* what, const char* file,
           int line) {
  const coppice_error error = last_error();
  if (got == status && error.status == status && has(error.message, part)) return;
  ++failed;
  fprintf(stderr, "%s:%d: %s: gave %d, kept as %d, \"%s\"; wanted %d with \"%s\"\n", file, line, what,
          (int)got, (int)error.status, got == COPPICE_OK ? "" : error.message, (int)status, part);
}

void about(const char* option, const char* column, int64_t row, const char* file, int line) {
  const coppice_error error = last_error();
  if (strcmp(error.option, option) == 0 && strcmp(error.column, column) == 0 && error.row == row) return;
  ++failed;
  fprintf(stderr, "%s:%d: \"%s\" is about option \"%s\", column \"%s\", row %ld\n", file, line, error.message,
          error.option, error.column, (long)error.row);
}

int failed_checks(void) {
  return failed;
}

int has(const char* text, const char* part) {
  return text != NULL && strstr(text, part) != NULL;
}

void untouched(void* from, size_t size) {
  memset(from, 0xAB, size);
}

int is_untouched(const void* whole, size_t from, size_t to) {
  const unsigned char* bytes = whole;
  for (size_t i = from; i < to; ++i) {
    if (bytes[i] != 0xAB) return 0;
  }
  return 1;
}

static coppice_table* ring_from(unsigned state) {
  static double x[ring_rows], y[ring_rows];
  static const char* where[ring_rows];
  for (int i = 0; i < ring_rows; ++i) {
    state = state * 1664525u + 1013904223u;
    x[i] = (double)(state >> 16) / 32768 - 1;
    state = state * 1664525u + 1013904223u;
    y[i] = (double)(state >> 16) / 32768 - 1;
    where[i] = x[i] * x[i] + y[i] * y[i] < 0.6 ? "in" : "out";
  }
  coppice_table* table = NULL;
  NEED(coppice_table_new(&table));
  NEED(coppice_table_add_f64(table, "x", x, ring_rows, NULL));
  NEED(coppice_table_add_f64(table, "y", y, ring_rows, NULL));
  NEED(coppice_table_add_texts(table, "where", where, ring_rows));
  return table;
}

coppice_table* ring(void) {
  return ring_from(1);
}

coppice_table* other_ring(void) {
  return ring_from(2);
}

void set(coppice_options* options, const char* name, const char* value) {
  NEED(coppice_options_set(options, name, &value, 1));
}

coppice_options* quick(void) {
  coppice_options* options = NULL;
  const char* lambdas[] = {"1e-2", "1e-3"};
  NEED(coppice_options_new(&options));
  NEED(coppice_options_set(options, "lambda", lambdas, 2));
  set(options, "target", "where");
  set(options, "effort", "quick");
  set(options, "max-epochs", "12");
  set(options, "threads", "2");
  set(options, "device", "cpu");
  return options;
}

coppice_result* trained(void) {
  coppice_table* table = ring();
  coppice_options* options = quick();
  coppice_result* result = NULL;
  NEED(coppice_train(table, options, NULL, &result));
  coppice_options_free(options);
  coppice_table_free(table);
  return result;
}

coppice_model* trained_model(void) {
  coppice_result* result = trained();
  coppice_model* model = NULL;
  NEED(coppice_result_model(result, COPPICE_NO_NET, &model));
  coppice_result_free(result);
  return model;
}

const char* path_of(const char* name) {
  static char paths[3][128];
  static int next = 0;
  if (folder[0] == '\0') {
    strcpy(folder, "/tmp/coppice-c-XXXXXX");
    if (mkdtemp(folder) == NULL) abort();
  }
  next = (next + 1) % 3;
  snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
  return paths[next];
}

void write_text(const char* path, const char* text) {
  FILE* file = fopen(path, "wb");
  if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) abort();
}

void remove_folder(void) {
  char command[96];
  if (folder[0] == '\0') return;
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  if (system(command) != 0) fprintf(stderr, "%s is left\n", folder);
}
