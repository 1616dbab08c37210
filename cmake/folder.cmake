# coppice_folder(NAME DEPENDS ...): the library of one folder, from every source file in it.
# What a folder does on a GPU lies in its subfolder cuda/; no_cuda/ holds the same functions for builds without.
function(coppice_folder name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/${COPPICE_CUDA_FOLDER}/*.cpp)
  add_library(coppice_${name} STATIC ${sources})
  target_include_directories(coppice_${name} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/include)
  target_link_libraries(coppice_${name} PUBLIC ${ARG_DEPENDS})
  if(name IN_LIST COPPICE_COUNTED_FOLDERS)
    target_compile_options(coppice_${name} PRIVATE ${COPPICE_COUNTERS})
  endif()
  if(NOT name IN_LIST COPPICE_HOT_FOLDERS)
    coppice_cold(coppice_${name})
  endif()
  coppice_unity(coppice_${name} ${sources})
endfunction()

# coppice_cold(TARGET): what is not on the path of training is compiled for half the time.
function(coppice_cold target)
  if(COPPICE_SANITIZE MATCHES "^fuzzer")
    return()
  endif()
  target_compile_options(${target} PRIVATE "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>")
endfunction()

# coppice_unity(TARGET [LABEL NAME] SOURCES...): with COPPICE_UNITY, compiles the target's sources several at a time. Most of a
# source's cost is the headers of the libraries it uses, and their functions; ten sources need them once.
# Sources that both declare some name at the beginning of a line (a function in an anonymous namespace, say) go into
# different units, so that a source means the same alone and in a unit; so do sources of different labels.
function(coppice_unity target)
  if(NOT COPPICE_UNITY)
    return()
  endif()
  cmake_parse_arguments(ARG "" "LABEL" "" ${ARGN})
  set(sources ${ARG_UNPARSED_ARGUMENTS})
  # Which sources go together follows from what is in them.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  set(units 0)
  foreach(source ${sources})
    file(READ ${source} text)
    string(REGEX REPLACE "[][;]" "=" text "\n${text}")  # letters that mean something in CMake's lists
    string(REGEX MATCHALL "\n(struct|class|enum class) [A-Za-z_0-9]+|\nusing [A-Za-z_0-9]+ =" types "${text}")
    string(REGEX MATCHALL "\n[a-zA-Z_][^\n\"/(={]*[ &*>][A-Za-z_0-9]+( =|[(={])" others "${text}")
    list(FILTER others EXCLUDE REGEX "^\n(namespace|using|template|extern|struct|class|enum|TEST|INSTANTIATE)")
    set(names ${types} ${others})
    list(TRANSFORM names REPLACE "[ (={]+$" "")
    list(TRANSFORM names REPLACE "^.*[ &*>]" "")
    list(REMOVE_DUPLICATES names)
    # The first unit with room and without any of these names.
    set(unit 0)
    set(candidate 1)
    while(unit EQUAL 0 AND NOT candidate GREATER units)
      set(common "${names_${candidate}}")
      list(APPEND common ${names})
      list(LENGTH common with_common)
      list(REMOVE_DUPLICATES common)
      list(LENGTH common without_common)
      if(with_common EQUAL without_common AND size_${candidate} LESS COPPICE_UNITY_SIZE)
        set(unit ${candidate})
      endif()
      math(EXPR candidate "${candidate} + 1")
    endwhile()
    if(unit EQUAL 0)
      math(EXPR units "${units} + 1")
      set(unit ${units})
      set(size_${unit} 0)
      set(names_${unit} "")
    endif()
    math(EXPR size_${unit} "${size_${unit}} + 1")
    list(APPEND names_${unit} ${names})
    # clang's analyzer knows by this name that the sources included there are no headers.
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP UnifiedSource${ARG_LABEL}${unit})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # The compiler takes an included source for a header, in which an anonymous namespace would be odd, and a local name
  # for a mistake if another source of the unit has a constant of that name.
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage;-Wno-shadow;-Wshadow=local>$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-shadow>")
endfunction()
