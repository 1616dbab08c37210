#include "coppice/core/system_reason.h"

#include <cerrno>
#include <string_view>
#include <system_error>

namespace coppice {

namespace {

std::string_view remedy(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "; make room on the disk";
    case EFBIG:
      return "; lift the limit on the size of files (ulimit -f) or write elsewhere";
    case EROFS:
      return "; write elsewhere";
    case EIO:
      return "; look after the disk";
    case EMFILE:
    case ENFILE:
      return "; lift the limit on open files (ulimit -n) or close some";
    case ELOOP:
      return "; put a file in the place of the symbolic link";
    case EAGAIN:
      return "; lift the limit on processes (ulimit -u) or use fewer threads";
    default:
      return "";
  }
}

}  // namespace

std::string system_reason() {
  const int error = errno;
  return std::generic_category().message(error).append(remedy(error));
}

}  // namespace coppice
