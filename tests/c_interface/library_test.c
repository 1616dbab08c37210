#include "check.h"

#include <stddef.h>
#include <string.h>

static void an_error_is_filled_as_far_as_its_size_says(void) {
  coppice_error error;
  coppice_table* table = NULL;
  FAILS(coppice_table_read("/there/is/none.csv", NULL, 0, &table), COPPICE_FILE, "/there/is/none.csv");
  CHECK(table == NULL);
  untouched(&error, sizeof error);
  error.size = offsetof(coppice_error, option);
  coppice_last_error(&error);
  CHECK(error.size == offsetof(coppice_error, option));
  CHECK(error.status == COPPICE_FILE);
  CHECK(has(error.message, "none.csv"));
  CHECK(is_untouched(&error, offsetof(coppice_error, option), sizeof error));
  /* Half a member is none. */
  untouched(&error, sizeof error);
  error.size = offsetof(coppice_error, option) + 3;
  coppice_last_error(&error);
  CHECK(is_untouched(&error, offsetof(coppice_error, option), sizeof error));
  untouched(&error, sizeof error);
  error.size = 0;
  coppice_last_error(&error);
  CHECK(error.size == 0 && is_untouched(&error, sizeof error.size, sizeof error));
  coppice_last_error(NULL);
}

/* A caller of a later version asks for more than this library knows of, and is told how much it got. */
static void an_error_is_not_filled_beyond_what_there_is(void) {
  struct {
    coppice_error known;
    char later[16];
  } error;
  untouched(&error, sizeof error);
  error.known.size = sizeof error;
  coppice_last_error(&error.known);
  CHECK(error.known.size == sizeof error.known);
  CHECK(is_untouched(&error, sizeof error.known, sizeof error));
}

void test_library(void) {
  coppice_text* text = NULL;
  CHECK(strlen(coppice_version()) >= 5 && strchr(coppice_version(), '.') != NULL);
  CHECK(coppice_c_version() == COPPICE_C_VERSION);
  an_error_is_filled_as_far_as_its_size_says();
  an_error_is_not_filled_beyond_what_there_is();
  NEED(coppice_settings_json(&text));
  CHECK(coppice_text_size(text) == strlen(coppice_text_data(text)));
  CHECK(coppice_text_data(text)[0] == '[');
  coppice_text_free(text);
  CHECK(strcmp(coppice_text_data(NULL), "") == 0);
  CHECK(coppice_text_size(NULL) == 0);
  coppice_text_free(NULL);
}
