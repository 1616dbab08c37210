#include "check.h"
#include "same_models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { rows = 30000, batch_rows = 3500 };

/* Columns of every kind: of few different numbers that become many after the first batches, of numbers far from 0 that come
 * late, of texts, of codes. */
static float f32[rows];
static double f64[rows], few[rows];
static int64_t i64[rows];
static uint8_t missing[rows];
static const char* texts[rows];
static int32_t codes[rows], where[rows];

static void make_cells(void) {
  static const char* words[] = {"a", "b", "", "NA", "c", NULL};
  uint32_t random = 1;
  for (int i = 0; i < rows; ++i) {
    random = random * 1664525U + 1013904223U;
    f32[i] = (float)(random >> 8) / 16777216.0F - 0.5F;
    random = random * 1664525U + 1013904223U;
    f64[i] = random >> 8;
    f64[i] = f64[i] / 16777216.0 - 0.5 + (i > 4 * batch_rows ? 1e9 : 0);
    few[i] = i < 2 * batch_rows ? i % 7 : f32[i];
    i64[i] = random >> 28;
    missing[i] = i % 11 == 3;
    texts[i] = words[(random >> 12) % 6];
    codes[i] = (int32_t)(random >> 20) % 3 - (i % 13 == 0);
    where[i] = f32[i] * f32[i] < 0.06F;
  }
}

static const char* sides[] = {"out", "in"};
static const char* sizes[] = {"small", "NA", "large"};

static coppice_table* whole(void) {
  coppice_table* table = NULL;
  NEED(coppice_table_new(&table));
  NEED(coppice_table_add_f32(table, "f32", f32, rows, missing));
  NEED(coppice_table_add_f64(table, "f64", f64, rows, missing));
  NEED(coppice_table_add_f64(table, "few", few, rows, NULL));
  NEED(coppice_table_add_i64(table, "i64", i64, rows, missing));
  NEED(coppice_table_add_texts(table, "texts", texts, rows));
  NEED(coppice_table_add_codes(table, "codes", codes, rows, sizes, 3));
  NEED(coppice_table_add_codes(table, "where", where, rows, sides, 2));
  return table;
}

/* Codes of a batch whose categories are in another order. */
static void add_turned(coppice_growing_table* to, const char* name, const int32_t* from, size_t count,
                       const char* const* categories, int32_t known) {
  int32_t turned[batch_rows];
  const char* backwards[3];
  for (int32_t i = 0; i < known; ++i) backwards[i] = categories[known - 1 - i];
  for (size_t i = 0; i < count; ++i) turned[i] = from[i] < 0 ? -1 : known - 1 - from[i];
  NEED(coppice_growing_table_add_codes(to, name, turned, count, backwards, (size_t)known));
}

static coppice_table* grown(const coppice_options* options) {
  coppice_growing_table* growing = NULL;
  coppice_table* table = NULL;
  NEED(coppice_growing_table_new(options, &growing));
  for (size_t at = 0; at < rows; at += batch_rows) {
    const size_t count = rows - at < batch_rows ? rows - at : batch_rows;
    NEED(coppice_growing_table_add_f32(growing, "f32", f32 + at, count, missing + at));
    NEED(coppice_growing_table_add_f64(growing, "f64", f64 + at, count, missing + at));
    NEED(coppice_growing_table_add_f64(growing, "few", few + at, count, NULL));
    NEED(coppice_growing_table_add_i64(growing, "i64", i64 + at, count, missing + at));
    NEED(coppice_growing_table_add_texts(growing, "texts", texts + at, count));
    if (at == 0) {
      NEED(coppice_growing_table_add_codes(growing, "codes", NULL, 0, sizes, 1));
      NEED(coppice_growing_table_add_codes(growing, "codes", codes, count, sizes, 3));
      NEED(coppice_growing_table_add_codes(growing, "where", where, count, sides, 2));
    } else {
      add_turned(growing, "codes", codes + at, count, sizes, 3);
      add_turned(growing, "where", where + at, count, sides, 2);
    }
  }
  NEED(coppice_growing_table_finish(growing, &table));
  coppice_growing_table_free(growing);
  return table;
}

static coppice_result* of_table(const coppice_table* table) {
  coppice_options* options = quick();
  coppice_result* result = NULL;
  set(options, "max-epochs", "3");
  set(options, "ensemble", "off");
  NEED(coppice_train(table, options, NULL, &result));
  coppice_options_free(options);
  return result;
}

static void the_table_is_that_of_the_whole(void) {
  make_cells();
  coppice_options* little = quick();
  set(little, "memory", "1M");
  const coppice_options* kept_by[] = {NULL, little};
  coppice_table* table = whole();
  coppice_result* wanted = of_table(table);
  coppice_table_free(table);
  for (int i = 0; i < 2; ++i) {
    table = grown(kept_by[i]);
    CHECK(coppice_table_rows(table) == rows && coppice_table_columns(table) == 7);
    coppice_result* found = of_table(table);
    CHECK(same_models(wanted, found));
    coppice_result_free(found);
    coppice_table_free(table);
  }
  coppice_result_free(wanted);
  coppice_options_free(little);
}

static void cells_beyond_the_memory_lie_in_a_scratch_file(void) {
  coppice_options* little = quick();
  coppice_growing_table* growing = NULL;
  const char* const folder = getenv("TMPDIR");
  char* const before = folder == NULL ? NULL : strdup(folder);
  set(little, "memory", "51M");  // 50 of it are the program's
  setenv("TMPDIR", "/there/is/none", 1);
  NEED(coppice_growing_table_new(little, &growing));
  NEED(coppice_growing_table_add_f32(growing, "f32", f32, rows, NULL));
  FAILS(coppice_growing_table_add_f64(growing, "f64", f64, rows, NULL), COPPICE_FILE, "/there/is/none");
  coppice_growing_table_free(growing);
  if (before == NULL) {
    unsetenv("TMPDIR");
  } else {
    setenv("TMPDIR", before, 1);
  }
  free(before);
  coppice_options_free(little);
}

static void wrong_batches_are_refused(void) {
  const float infinite[] = {1, 2, INFINITY};
  const double numbers[] = {1, 2, 3};
  const int64_t integers[] = {1, 2, 3};
  const int32_t far[] = {0, 7, 1};
  const char* words[] = {"a", "b", "a"};
  coppice_growing_table* growing = NULL;
  coppice_table* table = NULL;
  NEED(coppice_growing_table_new(NULL, &growing));
  NEED(coppice_growing_table_add_f64(growing, "first", numbers, 3, NULL));
  FAILS(coppice_growing_table_add_i64(growing, "first", integers, 3, NULL), COPPICE_BAD_INPUT,
        "has float64 numbers so far and cannot take whole numbers; give it one kind");
  ABOUT("", "first", -1);
  FAILS(coppice_growing_table_add_texts(growing, "", words, 3), COPPICE_BAD_INPUT, "column 2 has no name");
  NEED(coppice_growing_table_add_texts(growing, "words", words, 2));
  FAILS(coppice_growing_table_finish(growing, &table), COPPICE_BAD_INPUT, "give every column as many");
  ABOUT("", "words", -1);
  NEED(coppice_growing_table_add_texts(growing, "words", words, 1));
  NEED(coppice_growing_table_finish(growing, &table));
  CHECK(coppice_table_rows(table) == 3 && coppice_table_columns(table) == 2);
  coppice_table_free(table);
  FAILS(coppice_growing_table_finish(growing, &table), COPPICE_BAD_INPUT, "is finished; begin another");
  CHECK(table == NULL);
  FAILS(coppice_growing_table_add_texts(growing, "words", words, 1), COPPICE_BAD_INPUT, "is finished");
  coppice_growing_table_free(growing);

  NEED(coppice_growing_table_new(NULL, &growing));
  NEED(coppice_growing_table_add_f32(growing, "f", infinite, 2, NULL));
  FAILS(coppice_growing_table_add_f32(growing, "f", infinite, 3, NULL), COPPICE_BAD_INPUT, "infinite");
  ABOUT("", "f", 4);
  FAILS(coppice_growing_table_finish(growing, &table), COPPICE_BAD_INPUT, "cells were lost");
  coppice_growing_table_free(growing);

  NEED(coppice_growing_table_new(NULL, &growing));
  NEED(coppice_growing_table_add_codes(growing, "c", far, 1, words, 2));
  FAILS(coppice_growing_table_add_codes(growing, "c", far, 3, words, 2), COPPICE_BAD_INPUT,
        "7 has no category");
  ABOUT("", "c", 2);
  coppice_growing_table_free(growing);

  NEED(coppice_growing_table_new(NULL, &growing));
  FAILS(coppice_growing_table_add_codes(growing, "c", far, 1, words, 3), COPPICE_BAD_INPUT, "twice; rename");
  coppice_growing_table_free(growing);

  FAILS(coppice_growing_table_new(NULL, NULL), COPPICE_BAD_INPUT, "the table must not be NULL");
  FAILS(coppice_growing_table_finish(NULL, &table), COPPICE_BAD_INPUT, "the growing table must not be NULL");
  FAILS(coppice_growing_table_add_f32(NULL, "a", infinite, 2, NULL), COPPICE_BAD_INPUT,
        "the table must not be NULL");
  NEED(coppice_growing_table_new(NULL, &growing));
  FAILS(coppice_growing_table_add_f64(growing, "a", NULL, 2, NULL), COPPICE_BAD_INPUT,
        "the values must not be NULL");
  FAILS(coppice_growing_table_add_texts(growing, "a", NULL, 2), COPPICE_BAD_INPUT,
        "the texts must not be NULL");
  FAILS(coppice_growing_table_add_codes(growing, "a", NULL, 2, words, 2), COPPICE_BAD_INPUT,
        "the codes must not be NULL");
  FAILS(coppice_growing_table_finish(growing, NULL), COPPICE_BAD_INPUT, "the table must not be NULL");
  NEED(coppice_growing_table_finish(growing, &table));
  CHECK(coppice_table_rows(table) == 0 && coppice_table_columns(table) == 0);
  coppice_table_free(table);
  coppice_growing_table_free(growing);
  coppice_growing_table_free(NULL);
}

void test_growing_table(void) {
  the_table_is_that_of_the_whole();
  cells_beyond_the_memory_lie_in_a_scratch_file();
  wrong_batches_are_refused();
}
