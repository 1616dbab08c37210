# cmake -DBUILD=... -DPREFIX=... -P install.cmake: installs anew and looks whether all is there.
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
foreach(pattern bin/coppice include/coppice/version.h include/coppice/core/error.h lib*/libcoppice.so lib*/libcoppice.so.[0-9]
                lib*/libcoppice.a lib*/cmake/coppice/coppice-config.cmake lib*/pkgconfig/coppice.pc
                share/man/man1/coppice.1 share/bash-completion/completions/coppice
                share/zsh/vendor-completions/_coppice share/fish/vendor_completions.d/coppice.fish)
  file(GLOB found ${PREFIX}/${pattern})
  if(NOT found)
    message(FATAL_ERROR "not installed: ${pattern}")
  endif()
endforeach()
