/* Loaded before the C library (LD_PRELOAD): writes down what a program does to files under relative paths, in order, so that
   lost.py can tell which states of the disk a loss of power may leave.
   RECORD_LOG  the file for it. A record is a line, "write 4 17" (descriptor, bytes), followed by the bytes it names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int log_file = -1;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static char followed[4096]; /* descriptors of files under relative paths */

static void put(const void* bytes, size_t size) {
  const char* at = bytes;
  while (size > 0) {
    const long done = syscall(SYS_write, log_file, at, size);
    if (done <= 0) _exit(99);
    at += done;
    size -= (size_t)done;
  }
}

/* What is done and what is written down about it happen in the same order. */
static void begin(void) {
  pthread_mutex_lock(&turn);
}
static void end(void) {
  pthread_mutex_unlock(&turn);
}

#define RECORD(...)                                            \
  do {                                                         \
    char line[8192];                                           \
    const int size = snprintf(line, sizeof line, __VA_ARGS__); \
    put(line, (size_t)size);                                   \
  } while (0)

#define NEXT(name)               \
  static __typeof__(&name) next; \
  if (next == NULL) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void open_log(void) {
  const char* path = getenv("RECORD_LOG");
  if (path != NULL)
    log_file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (log_file < 0) _exit(98);
}

static int is_followed(int file) {
  return file >= 0 && file < (int)sizeof followed && followed[file];
}

static int opened(int file, const char* path, int flags) {
  if (file < 0 || file >= (int)sizeof followed) return file;
  followed[file] = path[0] != '/';
  if (followed[file])
    RECORD("open %d %d %d %d %zu\n%s", file, (flags & O_CREAT) != 0, (flags & O_TRUNC) != 0,
           (flags & O_APPEND) != 0, strlen(path), path);
  return file;
}

int open(const char* path, int flags, ...) {
  NEXT(open);
  va_list list;
  va_start(list, flags);
  const int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, int) : 0;
  va_end(list);
  begin();
  const int file = opened(next(path, flags, mode), path, flags);
  end();
  return file;
}

int open64(const char* path, int flags, ...) {
  NEXT(open64);
  va_list list;
  va_start(list, flags);
  const int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, int) : 0;
  va_end(list);
  begin();
  const int file = opened(next(path, flags, mode), path, flags);
  end();
  return file;
}

ssize_t write(int file, const void* buffer, size_t size) {
  NEXT(write);
  if (!is_followed(file)) return next(file, buffer, size);
  begin();
  const ssize_t done = next(file, buffer, size);
  if (done > 0) {
    RECORD("write %d %zd\n", file, done);
    put(buffer, (size_t)done);
  }
  end();
  return done;
}

int fsync(int file) {
  NEXT(fsync);
  begin();
  const int failed = next(file);
  if (failed == 0 && is_followed(file)) RECORD("fsync %d 0\n", file);
  end();
  return failed;
}

int close(int file) {
  NEXT(close);
  begin();
  if (is_followed(file)) {
    followed[file] = 0;
    RECORD("close %d 0\n", file);
  }
  const int failed = next(file);
  end();
  return failed;
}

int rename(const char* from, const char* to) {
  NEXT(rename);
  begin();
  const int failed = next(from, to);
  if (failed == 0 && from[0] != '/')
    RECORD("rename %zu %zu\n%s%s", strlen(from), strlen(from) + strlen(to), from, to);
  end();
  return failed;
}

int mkdir(const char* path, mode_t mode) {
  NEXT(mkdir);
  begin();
  const int failed = next(path, mode);
  if (failed == 0 && path[0] != '/') RECORD("mkdir %zu\n%s", strlen(path), path);
  end();
  return failed;
}

static int removed(int failed, const char* path) {
  if (failed == 0 && path[0] != '/') RECORD("unlink %zu\n%s", strlen(path), path);
  return failed;
}

int unlink(const char* path) {
  NEXT(unlink);
  begin();
  const int failed = removed(next(path), path);
  end();
  return failed;
}

int remove(const char* path) {
  NEXT(remove);
  begin();
  const int failed = removed(next(path), path);
  end();
  return failed;
}
