#pragma once

#include "coppice/core/fail.h"
#include "coppice/core/matrix.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace coppice {

static_assert(std::endian::native == std::endian::little,
              "binary files are little-endian and written as they lie");

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Appends plain values to a string of bytes.
class ByteWriter {
 public:
  template <Plain T>
  void put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <Plain T>
  void put_all(std::span<const T> values) {
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  template <Plain T>
  void put(const std::vector<T>& values) {
    put<std::uint64_t>(values.size());
    put_all(std::span<const T>(values));
  }
  template <class T>
  void put(const Matrix<T>& matrix) {
    put<std::uint64_t>(matrix.rows());
    put<std::uint64_t>(matrix.cols());
    for (std::size_t i = 0; i < matrix.rows(); ++i) put_all(matrix.row(i));
  }
  const std::string& bytes() const { return bytes_; }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads what a ByteWriter wrote. Every size is checked against the bytes that are left before anything is
/// allocated.
class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  template <Plain T>
  T get() {
    if constexpr (std::is_same_v<T, bool>) {  // any other byte would be no bool
      const auto byte = get<std::uint8_t>();
      if (byte > 1) truncated();
      return byte == 1;
    }
    T value;
    std::memcpy(&value, take(1, sizeof value), sizeof value);
    return value;
  }
  template <Plain T>
  void get_all(std::span<T> values) {
    const char* from = take(values.size(), sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), from, values.size_bytes());
  }
  template <Plain T>
  std::vector<T> get_vector() {
    const auto size = get<std::uint64_t>();
    const char* from = take(size, sizeof(T));
    std::vector<T> values(size);
    if (size != 0) std::memcpy(values.data(), from, size * sizeof(T));
    return values;
  }
  template <class T>
  Matrix<T> get_matrix() {
    const auto rows = get<std::uint64_t>();
    const auto cols = get<std::uint64_t>();
    if (rows != 0 && (cols == 0 || rows > left() / sizeof(T) / cols)) truncated();
    Matrix<T> matrix(rows, cols);
    for (std::size_t i = 0; i < rows; ++i) get_all(matrix.row(i));
    return matrix;
  }
  std::size_t left() const { return bytes_.size(); }
  [[noreturn]] void truncated() const {
    fail("{}: the file is truncated or altered; use an intact copy", name_);
  }

 private:
  const char* take(std::uint64_t count, std::size_t size) {
    if (count > bytes_.size() / size) truncated();
    const char* from = bytes_.data();
    bytes_.remove_prefix(static_cast<std::size_t>(count) * size);
    return from;
  }

  std::string_view bytes_;
  std::string name_;
};

}  // namespace coppice
