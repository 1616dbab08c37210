#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>
#include <sys/mman.h>
#include <vector>

namespace coppice {

/// A row-major block of someone else's memory: row i starts at data + i * stride.
template <class T>
struct View {
  T* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;

  T* operator[](std::size_t row) const { return data + row * stride; }
  T& operator()(std::size_t row, std::size_t col) const { return data[row * stride + col]; }
  std::span<T> row(std::size_t i) const { return {data + i * stride, cols}; }
  View columns(std::size_t first, std::size_t count) const { return {data + first, rows, count, stride}; }
  View block(std::size_t first, std::size_t count) const {
    return {data + first * stride, count, cols, stride};
  }
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator View<const T>() const { return {data, rows, cols, stride}; }
};

/// Memory on cache-line boundaries, so that vector loads never straddle two lines; large blocks in huge pages
/// where the system has them: rows picked at random from data are copied a third faster.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::size_t huge_page = std::size_t{2} << 20U;

  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  static std::align_val_t alignment(std::size_t n) {
    return std::align_val_t{n * sizeof(T) < 2 * huge_page ? 64 : huge_page};
  }
  T* allocate(std::size_t n) {
    void* memory = ::operator new(n * sizeof(T), alignment(n));
#if defined(MADV_HUGEPAGE)
    if (n * sizeof(T) >= 2 * huge_page) ::madvise(memory, n * sizeof(T), MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* p, std::size_t n) {
    ::operator delete(p, alignment(n));
  }
  template <class U>
  bool operator==(const AlignedAllocator<U>&) const {
    return true;
  }
};

/// A row-major matrix that grows and shrinks by rows and columns. Both dimensions keep slack, so that adding
/// one unit to a layer rarely moves memory. Entries that come into being are zero.
template <class T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols), stride_(padded(cols)) {
    values_.resize(rows_ * stride_);
  }

  /// Without padding between rows: for data, which may have a few columns and millions of rows.
  static Matrix packed(std::size_t rows, std::size_t cols) {
    Matrix matrix;
    matrix.rows_ = rows;
    matrix.cols_ = cols;
    matrix.stride_ = cols;
    matrix.values_.resize(rows * cols);
    return matrix;
  }

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  std::size_t stride() const { return stride_; }
  bool empty() const { return rows_ == 0 || cols_ == 0; }

  T* operator[](std::size_t row) { return values_.data() + row * stride_; }
  const T* operator[](std::size_t row) const { return values_.data() + row * stride_; }
  T& operator()(std::size_t row, std::size_t col) { return values_[row * stride_ + col]; }
  const T& operator()(std::size_t row, std::size_t col) const { return values_[row * stride_ + col]; }
  std::span<T> row(std::size_t i) { return {(*this)[i], cols_}; }
  std::span<const T> row(std::size_t i) const { return {(*this)[i], cols_}; }

  View<T> view() { return {values_.data(), rows_, cols_, stride_}; }
  View<const T> view() const { return {values_.data(), rows_, cols_, stride_}; }
  operator View<T>() { return view(); }              // NOLINT(google-explicit-constructor)
  operator View<const T>() const { return view(); }  // NOLINT(google-explicit-constructor)

  /// Appends zero rows.
  void add_rows(std::size_t count) {
    reserve_rows(rows_ + count);
    std::fill_n(values_.data() + rows_ * stride_, count * stride_, T{});
    rows_ += count;
  }

  /// Appends zero columns.
  void add_cols(std::size_t count) {
    if (cols_ + count > stride_) widen(cols_ + count + (cols_ + count) / 4);
    for (std::size_t i = 0; i < rows_; ++i) std::fill_n((*this)[i] + cols_, count, T{});
    cols_ += count;
  }

  /// Keeps the named rows, in the given ascending order.
  void keep_rows(std::span<const std::size_t> keep) {
    for (std::size_t i = 0; i < keep.size(); ++i) {
      if (keep[i] != i) std::copy_n((*this)[keep[i]], cols_, (*this)[i]);
    }
    rows_ = keep.size();
  }

  /// Keeps the named columns, in the given ascending order.
  void keep_cols(std::span<const std::size_t> keep) {
    for (std::size_t i = 0; i < rows_; ++i) {
      T* values = (*this)[i];
      for (std::size_t j = 0; j < keep.size(); ++j) values[j] = values[keep[j]];
    }
    cols_ = keep.size();
  }

  /// Makes the matrix rows x cols with unspecified contents; memory is only ever added.
  void reshape(std::size_t rows, std::size_t cols) {
    rows_ = rows;
    cols_ = cols;
    stride_ = padded(cols);
    const std::size_t needed = rows_ * stride_;
    if (values_.size() >= needed) return;
    const bool grows = !values_.empty();  // and may grow again
    values_ = {};                         // nobody needs both at once
    values_.resize(needed + (grows ? needed / 4 : 0));
  }

  bool operator==(const Matrix& other) const {
    if (rows_ != other.rows_ || cols_ != other.cols_) return false;
    for (std::size_t i = 0; i < rows_; ++i) {
      if (!std::equal((*this)[i], (*this)[i] + cols_, other[i])) return false;
    }
    return true;
  }

 private:
  /// Rows start on a cache line; a multiple of 1024 values would map all rows onto the same few cache sets.
  static std::size_t padded(std::size_t cols) {
    constexpr std::size_t line = 64 / sizeof(T) == 0 ? 1 : 64 / sizeof(T);
    const std::size_t width = (cols + line - 1) / line * line;
    return width % 1024 == 0 && width > 0 ? width + line : width;
  }

  void reserve_rows(std::size_t rows) {
    if (rows * stride_ > values_.size()) values_.resize((rows + rows / 4) * stride_);
  }

  void widen(std::size_t cols) {
    Matrix wider;
    wider.rows_ = rows_;
    wider.cols_ = cols_;
    wider.stride_ = padded(cols);
    wider.values_.resize((rows_ + rows_ / 4) * wider.stride_);
    for (std::size_t i = 0; i < rows_; ++i) std::copy_n((*this)[i], cols_, wider[i]);
    *this = std::move(wider);
  }

  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::size_t stride_ = 0;
  std::vector<T, AlignedAllocator<T>> values_;
};

}  // namespace coppice
