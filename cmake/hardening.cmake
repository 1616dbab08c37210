# What makes mistakes in memory end in an abort instead of in somebody else's code (SECURITY.md). The
# addresses of the program and its libraries are random, tables of functions read-only, and jumps go where functions begin.
option(COPPICE_HARDENED "Build with the compiler's and the linker's protections" ON)
if(COPPICE_HARDENED AND NOT COPPICE_SANITIZE AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES CXX)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fstack-protector-strong;-fstack-clash-protection>")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fcf-protection=full>")
  endif()
  # Ubuntu's compiler sets a level by itself; without optimisation there is nothing to check with.
  add_compile_options("$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3>")
  add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
endif()
