#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void columns_are_added(void) {
  const float f32[] = {1, 2, NAN};
  const double f64[] = {0.5, 1e300, 3};
  const int64_t i64[] = {1, -2, INT64_C(9007199254740993)};
  const uint8_t missing[] = {0, 1, 0};
  const char* texts[] = {"a", NULL, "NA"};
  const int32_t codes[] = {1, -1, 0};
  const char* categories[] = {"low", "high"};
  coppice_table* table = NULL;
  NEED(coppice_table_new(&table));
  CHECK(coppice_table_rows(table) == 0 && coppice_table_columns(table) == 0);
  NEED(coppice_table_add_f32(table, "f32", f32, 3, NULL));
  NEED(coppice_table_add_f64(table, "f64", f64, 3, missing));
  NEED(coppice_table_add_i64(table, "i64", i64, 3, missing));
  NEED(coppice_table_add_texts(table, "texts", texts, 3));
  NEED(coppice_table_add_codes(table, "codes", codes, 3, categories, 2));
  CHECK(coppice_table_rows(table) == 3);
  CHECK(coppice_table_columns(table) == 5);
  NEED(coppice_table_set_image(table, 1, 2));
  coppice_table_free(table);
}

static void wrong_columns_are_refused(void) {
  const float f32[] = {1, 2, INFINITY};
  const double f64[] = {1, 2, 3};
  const int64_t i64[] = {1, 2, 3};
  const char* texts[] = {"a", "b", "c"};
  const int32_t codes[] = {0, 7, 1};
  const char* categories[] = {"low", "high"};
  const char* twice[] = {"low", "low"};
  const char* none[] = {"low", NULL};
  coppice_table* table = NULL;
  NEED(coppice_table_new(&table));
  NEED(coppice_table_add_f64(table, "first", f64, 3, NULL));

  FAILS(coppice_table_add_f64(table, "short", f64, 2, NULL), COPPICE_BAD_INPUT, "give every column as many");
  ABOUT("", "short", -1);
  FAILS(coppice_table_add_texts(table, "first", texts, 3), COPPICE_BAD_INPUT, "rename one of them");
  ABOUT("", "first", -1);
  FAILS(coppice_table_add_f64(table, "", f64, 3, NULL), COPPICE_BAD_INPUT, "has no name; give it one");
  FAILS(coppice_table_add_f32(table, "infinite", f32, 3, NULL), COPPICE_BAD_INPUT, "infinite");
  ABOUT("", "infinite", 2);
  FAILS(coppice_table_add_codes(table, "codes", codes, 3, categories, 2), COPPICE_BAD_INPUT,
        "7 has no category");
  ABOUT("", "codes", 1);
  FAILS(coppice_table_add_codes(table, "codes", codes, 3, twice, 2), COPPICE_BAD_INPUT, "twice; rename");
  ABOUT("", "codes", -1);
  FAILS(coppice_table_add_i64(table,
                              "Stra\xDF"
                              "e",
                              i64, 3, NULL),
        COPPICE_BAD_INPUT, "not UTF-8; convert it");
  ABOUT("",
        "Stra\xC3\x9F"
        "e",
        -1);
  FAILS(coppice_table_set_image(table, 2, 2), COPPICE_BAD_INPUT, "add the pixels first");
  FAILS(coppice_table_set_image(table, 0, 2), COPPICE_BAD_INPUT, "add the pixels first");
  FAILS(coppice_table_set_image(table, SIZE_MAX, 2), COPPICE_BAD_INPUT, "add the pixels first");

  FAILS(coppice_table_add_f32(NULL, "a", f32, 3, NULL), COPPICE_BAD_INPUT, "the table must not be NULL");
  FAILS(coppice_table_add_f64(table, NULL, f64, 3, NULL), COPPICE_BAD_INPUT,
        "name of a column must not be NULL");
  FAILS(coppice_table_add_f32(table, "a", NULL, 3, NULL), COPPICE_BAD_INPUT, "the values must not be NULL");
  FAILS(coppice_table_add_i64(table, "a", NULL, 3, NULL), COPPICE_BAD_INPUT, "the values must not be NULL");
  FAILS(coppice_table_add_texts(table, "a", NULL, 3), COPPICE_BAD_INPUT, "the texts must not be NULL");
  FAILS(coppice_table_add_texts(NULL, "a", texts, 3), COPPICE_BAD_INPUT, "the table must not be NULL");
  FAILS(coppice_table_add_codes(table, "a", NULL, 3, categories, 2), COPPICE_BAD_INPUT,
        "the codes must not be NULL");
  FAILS(coppice_table_add_codes(table, "a", codes, 3, NULL, 2), COPPICE_BAD_INPUT,
        "a category must not be NULL");
  FAILS(coppice_table_add_codes(table, "a", codes, 3, none, 2), COPPICE_BAD_INPUT,
        "a category must not be NULL");
  FAILS(coppice_table_set_image(NULL, 1, 1), COPPICE_BAD_INPUT, "the table must not be NULL");
  CHECK(coppice_table_columns(table) == 1);
  CHECK(coppice_table_rows(table) == 3);
  coppice_table_free(table);
}

static void a_matrix_is_taken_as_it_lies(void) {
  const float values[] = {1, 2, -1, 3, 4, -1};
  const char* names[] = {"a", "b"};
  const char* same[] = {"a", "a"};
  const char* none[] = {"a", NULL};
  coppice_table* table = NULL;
  NEED(coppice_table_matrix(values, 2, 2, 3, names, &table));
  CHECK(coppice_table_rows(table) == 2 && coppice_table_columns(table) == 2);
  coppice_table_free(table);
  NEED(coppice_table_matrix(values, 2, 3, 3, NULL, &table));
  CHECK(coppice_table_columns(table) == 3);
  coppice_table_free(table);
  NEED(coppice_table_matrix(NULL, 0, 2, 2, names, &table));
  CHECK(coppice_table_rows(table) == 0);
  coppice_table_free(table);

  FAILS(coppice_table_matrix(NULL, 2, 2, 2, NULL, &table), COPPICE_BAD_INPUT, "the matrix must not be NULL");
  CHECK(table == NULL);
  FAILS(coppice_table_matrix(NULL, SIZE_MAX / 2 + 1, 2, 2, NULL, &table), COPPICE_BAD_INPUT,
        "the matrix must not be NULL");
  FAILS(coppice_table_matrix(values, 2, 3, 2, NULL, &table), COPPICE_BAD_INPUT, "the stride 2 is less");
  FAILS(coppice_table_matrix(values, 2, 2, 3, same, &table), COPPICE_BAD_INPUT, "rename");
  ABOUT("", "a", -1);
  FAILS(coppice_table_matrix(values, 2, 2, 3, none, &table), COPPICE_BAD_INPUT, "must not be NULL");
  FAILS(coppice_table_matrix(values, 2, 2, 3, names, NULL), COPPICE_BAD_INPUT, "the table must not be NULL");
}

static void files_are_read(void) {
  const char* path = path_of("read.csv");
  const char* texts[] = {"zip"};
  const char* unknown[] = {"zap"};
  const char* none[] = {NULL};
  coppice_table* table = NULL;
  write_text(path, "zip,value\n00123,1\n00456,2\n");
  NEED(coppice_table_read(path, NULL, 0, &table));
  CHECK(coppice_table_rows(table) == 2 && coppice_table_columns(table) == 2);
  coppice_table_free(table);
  NEED(coppice_table_read(path, texts, 1, &table));
  coppice_table_free(table);
  NEED(coppice_table_read(path, unknown, 1, &table));
  coppice_table_free(table);

  FAILS(coppice_table_read("/there/is/none.csv", NULL, 0, &table), COPPICE_FILE, "check the path");
  CHECK(table == NULL);
  FAILS(coppice_table_read(path_of("\xFF.csv"), NULL, 0, &table), COPPICE_FILE, "\xC3\xBF.csv");
  FAILS(coppice_table_read(NULL, NULL, 0, &table), COPPICE_BAD_INPUT, "the path must not be NULL");
  FAILS(coppice_table_read(path, NULL, 1, &table), COPPICE_BAD_INPUT, "a name must not be NULL");
  FAILS(coppice_table_read(path, none, 1, &table), COPPICE_BAD_INPUT, "a name must not be NULL");
  FAILS(coppice_table_read(path, NULL, 0, NULL), COPPICE_BAD_INPUT, "the table must not be NULL");
  write_text(path, "");
  FAILS(coppice_table_read(path, NULL, 0, &table), COPPICE_FILE, "empty");
  write_text(path, "a,b\n1,2\n3\n");
  FAILS(coppice_table_read(path, NULL, 0, &table), COPPICE_BAD_INPUT, "line 3");
}

void test_table(void) {
  columns_are_added();
  wrong_columns_are_refused();
  a_matrix_is_taken_as_it_lies();
  files_are_read();
  FAILS(coppice_table_new(NULL), COPPICE_BAD_INPUT, "the table must not be NULL");
  CHECK(coppice_table_rows(NULL) == 0);
  CHECK(coppice_table_columns(NULL) == 0);
  coppice_table_free(NULL);
}
