#pragma once

#include <dlfcn.h>

namespace coppice::test {

/// The OpenMP library that the product library has brought along, if any. Tests do not link it: they see what a program
/// that uses both would see.
class OpenMp {
 public:
  bool there() const { return get_ != nullptr && set_ != nullptr; }
  int get() const { return get_(); }  ///< threads that this thread's next parallel region would have
  void set(int number) const { set_(number); }

 private:
  template <class Function>
  static Function found(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
  }
  int (*get_)() = found<int (*)()>("omp_get_max_threads");
  void (*set_)(int) = found<void (*)(int)>("omp_set_num_threads");
};

}  // namespace coppice::test
