#include "check.h"

#include <stddef.h>
#include <string.h>

static void a_model_is_exported(const coppice_model* model, const coppice_table* table) {
  coppice_export_options options = {.size = sizeof options, .name = "ring", .int8 = 1, .calibrate = table};
  coppice_text* text = NULL;
  NEED(coppice_model_export(model, "json", NULL, &text));
  CHECK(strstr(coppice_text_data(text), "\"features\"") != NULL);
  coppice_text_free(text);
  NEED(coppice_model_export(model, "c", NULL, &text));
  CHECK(strstr(coppice_text_data(text), "int model_predict(") != NULL);
  CHECK(strstr(coppice_text_data(text), "in 8 bits") == NULL);
  coppice_text_free(text);
  NEED(coppice_model_export(model, "c", &options, &text));
  CHECK(strstr(coppice_text_data(text), "int ring_predict(") != NULL);
  CHECK(strstr(coppice_text_data(text), "in 8 bits") != NULL);
  coppice_text_free(text);
  options.calibrate = NULL;
  FAILS(coppice_model_export(model, "c", &options, &text), COPPICE_BAD_OPTION, "calibrate");
  CHECK(text == NULL);
  ABOUT("calibrate", "", -1);
  FAILS(coppice_model_export(model, "fortran", NULL, &text), COPPICE_BAD_OPTION, "fortran");
  ABOUT("to", "", -1);
  coppice_export_options onnx = {.size = sizeof onnx, .onnx_inputs = "matrix", .onnx_texts = "codes"};
  NEED(coppice_model_export(model, "onnx", &onnx, &text));
  CHECK(coppice_text_size(text) > 100);
  coppice_text_free(text);
  onnx.onnx_inputs = "rows";
  FAILS(coppice_model_export(model, "onnx", &onnx, &text), COPPICE_BAD_OPTION, "columns or matrix");
  onnx.onnx_inputs = NULL;
  onnx.onnx_texts = "words";
  FAILS(coppice_model_export(model, "onnx", &onnx, &text), COPPICE_BAD_OPTION, "strings or codes");
  options.size = 0;
  FAILS(coppice_model_export(model, "c", &options, &text), COPPICE_BAD_INPUT, "set it to sizeof");
}

static size_t occurrences(const coppice_text* text, const char* bytes, size_t count) {
  size_t found = 0;
  for (size_t at = 0; at + count <= coppice_text_size(text); ++at) {
    found += memcmp(coppice_text_data(text) + at, bytes, count) == 0;
  }
  return found;
}

static void an_opset_is_named(const coppice_model* model) {
  /* opset_import of the default domain: field 8, 4 bytes: an empty domain, then the version */
  char import[] = {0x42, 4, 0x0a, 0, 0x10, 13};
  coppice_export_options options = {.size = sizeof options};
  coppice_text* text = NULL;
  for (size_t opset = 13; opset <= 17; ++opset) {
    options.onnx_opset = opset;
    import[5] = (char)opset;
    NEED(coppice_model_export(model, "onnx", &options, &text));
    CHECK(occurrences(text, import, sizeof import) == 1);
    coppice_text_free(text);
  }
  options.size = offsetof(coppice_export_options, onnx_opset); /* a program of before there was one */
  options.onnx_opset = 99;
  import[5] = 13;
  NEED(coppice_model_export(model, "onnx", &options, &text));
  CHECK(occurrences(text, import, sizeof import) == 1);
  coppice_text_free(text);
  options.size = sizeof options;
  FAILS(coppice_model_export(model, "onnx", &options, &text), COPPICE_BAD_OPTION, "up to opset 17");
  ABOUT("onnx-opset", "", -1);
  FAILS(coppice_model_export(model, "c", &options, &text), COPPICE_BAD_OPTION, "only an export to onnx");
}

static void nothing_is_exported_from_nothing(const coppice_model* model) {
  coppice_text* text = NULL;
  FAILS(coppice_model_export(NULL, "json", NULL, &text), COPPICE_BAD_INPUT, "the model must not be NULL");
  FAILS(coppice_model_export(model, NULL, NULL, &text), COPPICE_BAD_INPUT, "the format must not be NULL");
  FAILS(coppice_model_export(model, "json", NULL, NULL), COPPICE_BAD_INPUT, "the text must not be NULL");
}

void test_export(void) {
  coppice_model* model = trained_model();
  coppice_table* table = ring();
  a_model_is_exported(model, table);
  an_opset_is_named(model);
  nothing_is_exported_from_nothing(model);
  coppice_table_free(table);
  coppice_model_free(model);
}
