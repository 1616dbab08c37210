#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned char nobody_asks[COPPICE_MUTANTS_SIZE];

extern "C" {
int coppice_mutant = -1;
unsigned char* coppice_mutants_reached = nobody_asks;
}

// Before any other constructor. The file is shared with the programs that a test starts.
__attribute__((constructor(101))) static void begin() {
  if (const char* number = std::getenv("COPPICE_MUTANT")) coppice_mutant = std::atoi(number);
  const char* file = std::getenv("COPPICE_MUTANTS_REACHED");
  if (!file) return;
  const int descriptor = open(file, O_RDWR);
  void* map = mmap(nullptr, COPPICE_MUTANTS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (map != MAP_FAILED) coppice_mutants_reached = static_cast<unsigned char*>(map);
  close(descriptor);
}
