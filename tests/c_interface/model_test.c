#include "check.h"

#include <string.h>
#include <unistd.h>

static void a_model_is_its_bytes(const coppice_model* model) {
  coppice_text* bytes = NULL;
  coppice_text* again = NULL;
  coppice_model* copy = NULL;
  NEED(coppice_model_bytes(model, &bytes));
  NEED(coppice_model_from_bytes(coppice_text_data(bytes), coppice_text_size(bytes), &copy));
  NEED(coppice_model_bytes(copy, &again));
  CHECK(coppice_text_size(bytes) == coppice_text_size(again));
  CHECK(memcmp(coppice_text_data(bytes), coppice_text_data(again), coppice_text_size(bytes)) == 0);
  coppice_text_free(again);
  coppice_model_free(copy);
  NEED(coppice_model_save(model, path_of("m.coppice")));
  NEED(coppice_model_load(path_of("m.coppice"), &copy));
  NEED(coppice_model_bytes(copy, &again));
  CHECK(coppice_text_size(bytes) == coppice_text_size(again));
  coppice_text_free(again);
  coppice_model_free(copy);
  coppice_text_free(bytes);
}

static void broken_bytes_are_refused(const coppice_model* model) {
  static char broken[1 << 20];
  coppice_text* bytes = NULL;
  coppice_model* copy = NULL;
  NEED(coppice_model_bytes(model, &bytes));
  const size_t size = coppice_text_size(bytes);
  CHECK(size > 100 && size < sizeof broken);
  for (size_t cut = 0; cut < size; cut += cut < 64 ? 1 : size / 50) {
    FAILS(coppice_model_from_bytes(coppice_text_data(bytes), cut, &copy), COPPICE_BAD_INPUT, "");
    CHECK(copy == NULL);
  }
  memcpy(broken, coppice_text_data(bytes), size);
  for (size_t i = 0; i < size; i += i < 64 ? 1 : size / 50) {
    broken[i] = (char)(broken[i] ^ 0x40);
    FAILS(coppice_model_from_bytes(broken, size, &copy), COPPICE_BAD_INPUT, "");
    CHECK(copy == NULL);
    broken[i] = (char)(broken[i] ^ 0x40);
  }
  FAILS(coppice_model_from_bytes("what is this?", 13, &copy), COPPICE_BAD_INPUT, "is not a coppice model");
  FAILS(coppice_model_from_bytes(NULL, 0, &copy), COPPICE_BAD_INPUT, "");
  FAILS(coppice_model_from_bytes(NULL, 10, &copy), COPPICE_BAD_INPUT, "the bytes must not be NULL");
  FAILS(coppice_model_from_bytes(broken, size, NULL), COPPICE_BAD_INPUT, "the model must not be NULL");
  coppice_text_free(bytes);
}

static void files_must_be_there(const coppice_model* model) {
  coppice_model* copy = NULL;
  coppice_text* text = NULL;
  FAILS(coppice_model_load("/there/is/none.coppice", &copy), COPPICE_FILE, "/there/is/none.coppice");
  CHECK(copy == NULL);
  write_text(path_of("odd.coppice"), "what is this?");
  FAILS(coppice_model_load(path_of("odd.coppice"), &copy), COPPICE_BAD_INPUT, "odd.coppice");
  FAILS(coppice_model_load(NULL, &copy), COPPICE_BAD_INPUT, "the path must not be NULL");
  FAILS(coppice_model_load(path_of("m.coppice"), NULL), COPPICE_BAD_INPUT, "the model must not be NULL");
  FAILS(coppice_model_save(model, "/there/is/none/m.coppice"), COPPICE_FILE, "/there/is/none");
  FAILS(coppice_model_save(model, NULL), COPPICE_BAD_INPUT, "the path must not be NULL");
  FAILS(coppice_model_save(NULL, path_of("n.coppice")), COPPICE_BAD_INPUT, "the model must not be NULL");
  CHECK(access(path_of("n.coppice"), F_OK) != 0);
  FAILS(coppice_model_bytes(NULL, &text), COPPICE_BAD_INPUT, "the model must not be NULL");
  FAILS(coppice_model_bytes(model, NULL), COPPICE_BAD_INPUT, "the text must not be NULL");
}

static void a_model_tells_of_itself(const coppice_model* model) {
  coppice_text* few = NULL;
  coppice_text* all = NULL;
  NEED(coppice_model_json(model, 0, &few));
  NEED(coppice_model_json(model, 1, &all));
  CHECK(has(coppice_text_data(few), "\"where\""));
  CHECK(coppice_text_size(all) > coppice_text_size(few));
  coppice_text_free(all);
  coppice_text_free(few);
  FAILS(coppice_model_json(NULL, 0, &few), COPPICE_BAD_INPUT, "the model must not be NULL");
  FAILS(coppice_model_json(model, 0, NULL), COPPICE_BAD_INPUT, "the text must not be NULL");
}

void test_model(void) {
  coppice_model* model = trained_model();
  a_model_is_its_bytes(model);
  broken_bytes_are_refused(model);
  files_must_be_there(model);
  a_model_tells_of_itself(model);
  coppice_model_free(model);
  coppice_model_free(NULL);
}
