#pragma once

#include "coppice/api/options.h"
#include "coppice/api/result.h"
#include "coppice/coppice_c.h"
#include "coppice/core/error.h"
#include "coppice/data/table.h"
#include "coppice/model/model.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

// What the opaque types of coppice_c.h are, and how errors leave the library.

struct coppice_table {
  coppice::Table value;
};
struct coppice_options {
  coppice::Options value;
};
struct coppice_result {
  coppice::Result value;
};
struct coppice_model {
  coppice::Model value;
};
struct coppice_prediction {
  coppice::Prediction value;
};
struct coppice_text {
  std::string value;
};

namespace coppice::c {

/// Keeps an error for coppice_last_error() and tells its status.
coppice_status keep_error(const Error& error);

/// Calls f; no exception leaves it.
template <class F>
coppice_status guarded(const F& f) {
  try {
    f();
    return COPPICE_OK;
  } catch (const Error& error) {
    return keep_error(error);
  } catch (const std::bad_alloc&) {
    return keep_error(Error(ErrorKind::out_of_memory, "out of memory; use fewer rows, nets or threads"));
  } catch (const std::exception& error) {
    return keep_error(Error(ErrorKind::internal, error.what()));
  } catch (...) {
    return keep_error(Error(ErrorKind::internal, "an exception of unknown kind"));
  }
}

/// The value behind a pointer that must not be NULL.
template <class T>
T& required(T* pointer, const char* what) {
  if (pointer == nullptr) throw Error(ErrorKind::bad_input, std::string(what) + " is NULL; hand one in");
  return *pointer;
}
inline std::string required_text(const char* text, const char* what) {
  return &required(text, what);
}
inline std::vector<std::string> texts_at(const char* const* texts, std::size_t count, const char* what) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) {
    required(texts, what);
    all.push_back(required_text(texts[i], what));
  }
  return all;
}

/// Copies as much of a struct as the caller knows of: its first member says how much.
template <class Struct>
void hand_out(Struct value, Struct* to) {
  required(to, "the struct to fill");
  value.size = std::min(to->size, sizeof(Struct));
  std::memcpy(to, &value, value.size);
}
/// A struct as the caller has it, what it does not know of zero.
template <class Struct>
Struct taken(const Struct* from) {
  Struct value{};
  if (from != nullptr) std::memcpy(&value, from, std::min(from->size, sizeof(Struct)));
  return value;
}

inline void hand_out_text(std::string text, coppice_text** to) {
  required(to, "the text to fill") = new coppice_text{std::move(text)};
}

}  // namespace coppice::c
