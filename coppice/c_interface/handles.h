#pragma once

#include "coppice/analysis/explain.h"
#include "coppice/api/options.h"
#include "coppice/api/result.h"
#include "coppice/coppice_c.h"
#include "coppice/core/error.h"
#include "coppice/data/growing_table.h"
#include "coppice/data/table.h"
#include "coppice/model/model.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

// What the opaque types of coppice_c.h are, and how errors leave the library.

struct coppice_table {
  coppice::Table value;
};
struct coppice_growing_table {
  coppice::GrowingTable value;
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
struct coppice_explanation {
  coppice::Explanation value;
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
  if (pointer == nullptr) throw Error(ErrorKind::bad_input, std::string(what) + " must not be NULL");
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
/// Names go into JSON and model files as they are.
std::string column_name(const char* name);
/// The flags of missing cells, if there are any.
inline MissingCells flags_at(const std::uint8_t* missing, std::size_t rows) {
  return missing == nullptr ? MissingCells() : MissingCells(std::span(missing, rows));
}
/// A NULL text is an empty one, which is missing.
std::vector<std::string_view> cells_at(const char* const* texts, std::size_t rows);

/// The one of that index.
template <class T>
const T& required_of(const std::vector<T>& all, std::size_t index, const std::string& what) {
  if (index >= all.size()) {
    throw Error(ErrorKind::bad_input, "there is no " + what + " " + std::to_string(index) + "; there are " +
                                          std::to_string(all.size()) + ", counted from 0");
  }
  return all[index];
}

/// Where a new handle goes, to be asked for in a statement before the one that makes it: C++ makes the right side of an
/// assignment first, and nobody could free it. NULL if nothing comes.
template <class Handle>
Handle*& place_for(Handle** to, const char* what) {
  return required(to, what) = nullptr;
}

/// Fails unless the caller has said how much of a struct it knows of.
template <class Struct>
void require_size(const Struct& given, const char* what) {
  if (given.size >= sizeof given.size) return;
  throw Error(ErrorKind::bad_input, std::string("the size in ") + what + " is not set; set it to sizeof");
}
/// How much of a struct both know of, in whole members: older ones end where a member ends.
template <class Struct>
std::size_t known_size(const Struct& given) {
  return std::min(given.size / alignof(Struct) * alignof(Struct), sizeof(Struct));
}
/// Copies as much of a struct as the caller knows of: its first member says how much.
template <class Struct>
void hand_out(Struct value, Struct* to, const char* what) {
  require_size(required(to, what), what);
  value.size = known_size(*to);
  std::memcpy(to, &value, value.size);
}
/// A struct as the caller has it, what it does not know of zero.
template <class Struct>
Struct taken(const Struct* from, const char* what) {
  Struct value{};
  if (from == nullptr) return value;
  require_size(*from, what);
  std::memcpy(&value, from, known_size(*from));
  return value;
}

/// JSON as text. Paths and the like need not be UTF-8; JSON must.
template <class Json>
std::string json_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace coppice::c
