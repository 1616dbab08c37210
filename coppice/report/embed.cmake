# cmake -DOUT=page.cpp -DSTYLE=... -DSCRIPT=a.js,b.js -DLIBRARY=chart.min.js -P embed.cmake: the files as texts in C++.
function(read_all result)
  set(all "")
  foreach(file ${ARGN})
    file(READ ${file} text)
    # A raw string ends at its mark, a script element at its end tag; neither may occur inside.
    if(text MATCHES "\\)coppice_page" OR text MATCHES "</[sS][cCtT]")
      message(FATAL_ERROR "${file} cannot be embedded: it holds the end of a string or of an element")
    endif()
    string(APPEND all "${text}")
  endforeach()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

string(REPLACE "," ";" STYLE "${STYLE}")
string(REPLACE "," ";" SCRIPT "${SCRIPT}")
read_all(style ${STYLE})
read_all(script ${SCRIPT})
read_all(library ${LIBRARY})
file(WRITE ${OUT} "#include \"coppice/report/page.h\"\n\nnamespace coppice::page {\n\n\
const std::string_view style = R\"coppice_page(${style})coppice_page\";\n\
const std::string_view script = R\"coppice_page(${script})coppice_page\";\n\
const std::string_view chart_library = R\"coppice_page(${library})coppice_page\";\n\n}  // namespace coppice::page\n")
