# The library that programs link with, shared and static, of the same objects.
set(objects $<TARGET_OBJECTS:coppice_portable_loops>)
foreach(folder ${COPPICE_FOLDERS})
  # Ranks are for programs: who loads the library decides about MPI.
  if(TARGET coppice_${folder} AND NOT folder STREQUAL "ranks")
    list(APPEND objects $<TARGET_OBJECTS:coppice_${folder}>)
  endif()
endforeach()

# What it is made with. None of it shows in a public header; the shared library brings it along, and programs that link
# the static one take the packages and the linker's words from here.
set(private_libraries fmt::fmt ZLIB::ZLIB Threads::Threads coppice_products)
set(COPPICE_LINK_PACKAGES fmt ZLIB)
set(COPPICE_LINK_LIBRARIES fmt z ${COPPICE_PRODUCT_LIBRARIES} pthread)
if(COPPICE_CUDA_FOLDER STREQUAL "cuda")
  list(APPEND private_libraries CUDA::cudart_static)
  list(APPEND COPPICE_LINK_PACKAGES CUDAToolkit)
  list(APPEND COPPICE_LINK_LIBRARIES cudart_static rt dl)
endif()

add_library(coppice_shared SHARED ${objects})
target_link_libraries(coppice_shared PRIVATE ${private_libraries})
# Templates of the standard library would show too, hidden or not.
target_link_options(coppice_shared PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/symbols.map -Wl,--no-undefined)
set_target_properties(coppice_shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
  LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/symbols.map EXPORT_NAME coppice)

add_library(coppice_static STATIC ${objects})
set_target_properties(coppice_static PROPERTIES EXPORT_NAME static)
target_link_libraries(coppice_static INTERFACE fmt::fmt ZLIB::ZLIB Threads::Threads ${COPPICE_PRODUCT_LIBRARIES})
if(COPPICE_CUDA_FOLDER STREQUAL "cuda")
  target_link_libraries(coppice_static INTERFACE CUDA::cudart_static)
endif()

foreach(library coppice_shared coppice_static)
  set_target_properties(${library} PROPERTIES OUTPUT_NAME coppice LINKER_LANGUAGE CXX)
  target_compile_features(${library} INTERFACE cxx_std_20)
  target_include_directories(${library} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
# The names that an installed package has too, for those who take the sources in (FetchContent).
add_library(coppice::coppice ALIAS coppice_shared)
add_library(coppice::static ALIAS coppice_static)
