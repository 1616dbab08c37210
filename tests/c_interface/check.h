#ifndef COPPICE_TESTS_C_INTERFACE_CHECK_H
#define COPPICE_TESTS_C_INTERFACE_CHECK_H

/* What the tests of the C interface share: checks that count, and small trainings. C99, as its users write. */

#include "coppice/coppice_c.h"

/* Tells of a condition that does not hold, and goes on. */
#define CHECK(condition) check((condition) != 0, #condition, __FILE__, __LINE__)
/* A call that must succeed: the test cannot go on without. */
#define NEED(call) need((call), #call, __FILE__, __LINE__)
/* A call that must fail with this status, and a sentence that has this in it. */
#define FAILS(call, status, part) fails((call), (status), (part), #call, __FILE__, __LINE__)
/* What that failure is about. */
#define ABOUT(option, column, row) about((option), (column), (row), __FILE__, __LINE__)

void check(int holds, const char* what, const char* file, int line);
void need(coppice_status status, const char* what, const char* file, int line);
void fails(coppice_status got, coppice_status status, const char* part, const char* what, const char* file,
           int line);
void about(const char* option, const char* column, int64_t row, const char* file, int line);
int failed_checks(void);

/* Whether a text has a part. */
int has(const char* text, const char* part);
/* Whether all bytes from the first to the last are those that `untouched` wrote. */
void untouched(void* from, size_t size);
int is_untouched(const void* whole, size_t from, size_t to);

/* Points of the plane, x and y, and whether they are inside a circle: "in" or "out". */
enum { ring_rows = 200 };
coppice_table* ring(void);
coppice_table* other_ring(void);
/* A training of a second or so; of two nets with different lambdas. */
coppice_options* quick(void);
void set(coppice_options* options, const char* name, const char* value);
coppice_result* trained(void);
coppice_model* trained_model(void);

/* A path in a folder of the test's own, which is removed at its end; the text lives until the third call after it. */
const char* path_of(const char* name);
void write_text(const char* path, const char* text);
void remove_folder(void);

/* One function per topic; main.c has them all. */
void test_library(void);
void test_table(void);
void test_growing_table(void);
void test_options(void);
void test_train(void);
void test_callbacks(void);
void test_run(void);
void test_run_table(void);
void test_result(void);
void test_search(void);
void test_model(void);
void test_predict(void);
void test_explain(void);
void test_export(void);
void test_threads(void);
void test_training(void);

#endif
