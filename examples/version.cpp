// Which version this was built with, and which it runs with.
#include <coppice/version.h>
#include <iostream>

int main() {
  std::cout << "headers " << COPPICE_VERSION << ", library " << coppice::version() << '\n';
  return coppice::version() == COPPICE_VERSION ? 0 : 1;
}
