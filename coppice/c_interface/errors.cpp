#include "coppice/c_interface/handles.h"
#include "coppice/core/text.h"
#include "coppice/version.h"

namespace coppice::c {

namespace {

/// Of this thread's last failed call.
thread_local coppice_status last_status = COPPICE_OK;
thread_local std::string last_message;  // NOLINT(cert-err58-cpp)
thread_local ErrorPlace last_place;     // NOLINT(cert-err58-cpp)

coppice_status status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_input:
      return COPPICE_BAD_INPUT;
    case ErrorKind::bad_option:
      return COPPICE_BAD_OPTION;
    case ErrorKind::file:
      return COPPICE_FILE;
    case ErrorKind::out_of_memory:
      return COPPICE_OUT_OF_MEMORY;
    case ErrorKind::unsupported:
      return COPPICE_UNSUPPORTED;
    case ErrorKind::interrupted:
      return COPPICE_INTERRUPTED;
    case ErrorKind::internal:
      break;
  }
  return COPPICE_INTERNAL;
}

}  // namespace

coppice_status keep_error(const Error& error) {
  last_status = status_of(error.kind());
  try {
    last_message = to_utf8(error.what());  // it may cite bytes that are not
    last_place = error.place();
    last_place.option = to_utf8(last_place.option);
    last_place.column = to_utf8(last_place.column);
  } catch (const std::bad_alloc&) {
    last_message.clear();
    last_place = {};
  }
  return last_status;
}

}  // namespace coppice::c

using namespace coppice::c;

void coppice_last_error(coppice_error* error) {
  // It tells of other calls' mistakes; there is nowhere to tell of its own.
  if (error == nullptr || error->size < sizeof error->size) return;
  hand_out<coppice_error>({.size = sizeof(coppice_error),
                           .status = last_status,
                           .message = last_message.c_str(),
                           .option = last_place.option.c_str(),
                           .column = last_place.column.c_str(),
                           .row = last_place.row ? static_cast<std::int64_t>(*last_place.row) : -1},
                          error, "the error");
}

const char* coppice_version() {
  static const std::string text = coppice::version();
  return text.c_str();
}
int coppice_c_version() {
  return COPPICE_C_VERSION;
}

const char* coppice_text_data(const coppice_text* text) {
  return text == nullptr ? "" : text->value.c_str();
}
std::size_t coppice_text_size(const coppice_text* text) {
  return text == nullptr ? 0 : text->value.size();
}
void coppice_text_free(coppice_text* text) {
  delete text;
}
