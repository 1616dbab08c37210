# cmake -DOUT=page.cpp -DSTYLE=a.css,b.css -DSCRIPT=page.js,more.js -P embed.cmake: the files as texts in C++.
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

# Three hexadecimal digits are two characters of base64; the 64th digit is the last four bits.
function(base64_of_sha256 result text)
  set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  string(SHA256 hex "${text}")
  set(all "")
  foreach(at RANGE 0 63 3)
    string(SUBSTRING "${hex}00" ${at} 3 digits)
    foreach(bits 6 0)
      math(EXPR place "(0x${digits} >> ${bits}) & 63")
      string(SUBSTRING ${alphabet} ${place} 1 character)
      string(APPEND all ${character})
    endforeach()
  endforeach()
  string(SUBSTRING "${all}" 0 43 all)
  set(${result} "${all}=" PARENT_SCOPE)
endfunction()

string(REPLACE "," ";" STYLE "${STYLE}")
string(REPLACE "," ";" SCRIPT "${SCRIPT}")
read_all(style ${STYLE})
read_all(script ${SCRIPT})
base64_of_sha256(hash "${script}")
file(WRITE ${OUT} "#include \"coppice/report/page.h\"\n\nnamespace coppice::page {\n\n\
const std::string_view style = R\"coppice_page(${style})coppice_page\";\n\
const std::string_view script = R\"coppice_page(${script})coppice_page\";\n\
const std::string_view script_hash = \"${hash}\";\n\n}  // namespace coppice::page\n")
