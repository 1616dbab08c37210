#include "coppice/ranks/messenger.h"

#include "coppice/core/fail.h"

namespace coppice {

std::unique_ptr<Messenger> make_messenger() {
  fail_as(ErrorKind::unsupported,
          "this build has no MPI, so each process that mpirun started would train the whole run; install "
          "libopenmpi-dev and build again, or start it without mpirun");
}

}  // namespace coppice
