/* Loaded before the C library (LD_PRELOAD): lets one call of the program's fail, as disks and memory do.
   INJECT_KIND  what fails: eio, enospc, eintr or short (calls on files), memory (allocations), starved (allocations, and the
                first piece of the program's reserve is gone once it is given back), bare (so are both), threads (their
                start), or nothing
   INJECT_AT    which one of those that can fail so, from 1; from there on memory is full
   INJECT_COUNT a file for the number of them, written at the end */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum Kind { nothing, eio, enospc, eintr, shorter, threads, memory, starved, bare };

static enum Kind kind = nothing;
static long at = 0;
static atomic_long calls = 0;

__attribute__((constructor)) static void begin(void) {
  static const char* const names[] = {"nothing", "eio",    "enospc",  "eintr", "short",
                                      "threads", "memory", "starved", "bare"};
  const char* wanted = getenv("INJECT_KIND");
  const char* number = getenv("INJECT_AT");
  at = number != NULL ? atol(number) : 0;
  for (int i = 0; wanted != NULL && i < 9; ++i) {
    if (strcmp(wanted, names[i]) == 0) kind = (enum Kind)i;
  }
  calls = 0;
}

__attribute__((destructor)) static void end(void) {
  const char* path = getenv("INJECT_COUNT");
  const long count = calls;
  kind = nothing;
  if (path == NULL) return;
  FILE* file = fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "%ld\n", count);
  fclose(file);
}

/* Whether this call is the one. */
static int hit(void) {
  return atomic_fetch_add(&calls, 1) + 1 == at;
}

/* 1 if a call that `writes` or waits (`slow`) shall fail; errno says how. */
static int fails(int writes, int slow) {
  if (kind == eio) {
    if (!hit()) return 0;
    errno = EIO;
    return 1;
  }
  if (kind == enospc && writes) {
    if (!hit()) return 0;
    errno = ENOSPC;
    return 1;
  }
  if (kind == eintr && slow) {
    if (!hit()) return 0;
    errno = EINTR;
    return 1;
  }
  return 0;
}

#define NEXT(name)               \
  static __typeof__(&name) next; \
  if (next == NULL) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int mode_of(int flags, va_list list) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, int) : 0;
}

int open(const char* path, int flags, ...) {
  NEXT(open);
  va_list list;
  va_start(list, flags);
  const int mode = mode_of(flags, list);
  va_end(list);
  return fails((flags & O_CREAT) != 0, 0) ? -1 : next(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  NEXT(open64);
  va_list list;
  va_start(list, flags);
  const int mode = mode_of(flags, list);
  va_end(list);
  return fails((flags & O_CREAT) != 0, 0) ? -1 : next(path, flags, mode);
}

ssize_t read(int file, void* buffer, size_t size) {
  NEXT(read);
  if (file > 2 && fails(0, 1)) return -1;
  const int cut = file > 2 && kind == shorter && size > 1 && hit();
  return next(file, buffer, cut ? size / 2 : size);
}

ssize_t write(int file, const void* buffer, size_t size) {
  NEXT(write);
  if (file > 2 && fails(1, 1)) return -1;
  const int cut = file > 2 && kind == shorter && size > 1 && hit();
  return next(file, buffer, cut ? size / 2 : size);
}

int fsync(int file) {
  NEXT(fsync);
  return fails(1, 0) ? -1 : next(file);
}

int rename(const char* from, const char* to) {
  NEXT(rename);
  return fails(1, 0) ? -1 : next(from, to);
}

int mkdir(const char* path, mode_t mode) {
  NEXT(mkdir);
  return fails(1, 0) ? -1 : next(path, mode);
}

int flock(int file, int operation) {
  NEXT(flock);
  return fails(0, 1) ? -1 : next(file, operation);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                   void* argument) {
  NEXT(pthread_create);
  if (kind == threads && hit()) return EAGAIN;
  return next(thread, attributes, body, argument);
}

/* glibc's own, so that asking for them allocates nothing. */
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* before, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

/* From the chosen allocation on there is no more memory than what is freed; small pieces are always to be had. */
static atomic_long room = 0;
static _Thread_local int in_product = 0;

/* oneDNN crashes where it finds no memory for its kernels. The program asks beforehand whether there is some, so this is not
   when it may run out; address spaces that are too small try that. */
int dnnl_sgemm(char a, char b, long rows, long cols, long inner, float factor, const float* left,
               long left_stride, const float* right, long right_stride, float kept, float* result,
               long result_stride) {
  NEXT(dnnl_sgemm);
  in_product = 1;
  const int status = next(a, b, rows, cols, inner, factor, left, left_stride, right, right_stride, kept,
                          result, result_stride);
  in_product = 0;
  return status;
}

static int is_full(void) {
  return kind >= memory && at > 0 && calls >= at;
}

/* Whether somebody else was quicker to take this piece, which is as large as those of cli/reserve.cpp. */
static int is_taken(size_t size) {
  static atomic_long taken = 0;
  if (kind == memory || size < (1U << 20U) || size >= (1U << 20U) + 8192) return 0;
  return atomic_fetch_add(&taken, 1) < (kind == starved ? 1 : 2);
}

static int no_memory(size_t size) {
  if (kind < memory || size <= 1024 || in_product) return 0;
  atomic_fetch_add(&calls, 1);
  if (!is_full()) return 0;
  if (atomic_fetch_sub(&room, (long)size) >= (long)size) return 0;
  atomic_fetch_add(&room, (long)size);
  errno = ENOMEM;
  return 1;
}

void __libc_free(void* piece);

void free(void* piece) {
  if (piece != NULL && is_full()) {
    const size_t size = malloc_usable_size(piece);
    if (size > 1024 && !is_taken(size)) atomic_fetch_add(&room, (long)size);
  }
  __libc_free(piece);
}

void* malloc(size_t size) {
  return no_memory(size) ? NULL : __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  return no_memory(count * size) ? NULL : __libc_calloc(count, size);
}

void* realloc(void* before, size_t size) {
  return no_memory(size) ? NULL : __libc_realloc(before, size);
}

void* memalign(size_t alignment, size_t size) {
  return no_memory(size) ? NULL : __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void** result, size_t alignment, size_t size) {
  void* made = memalign(alignment, size);
  if (made == NULL) return ENOMEM;
  *result = made;
  return 0;
}
