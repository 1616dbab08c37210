# Everything comes from Debian or Ubuntu packages; ./run installs them (docs/dependencies.md says what each is for).
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
if(COPPICE_PROGRAM)
  find_package(CLI11 REQUIRED)
endif()
find_path(RANDOM123_INCLUDE Random123/philox.h REQUIRED)
