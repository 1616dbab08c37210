#include "coppice/version.h"

namespace coppice {

std::string version() {
  return COPPICE_VERSION;
}

}  // namespace coppice
