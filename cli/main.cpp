#include "cli/coppice.h"

int main(int argc, char** argv) {
  return coppice::cli::run_coppice(argc, argv);
}
