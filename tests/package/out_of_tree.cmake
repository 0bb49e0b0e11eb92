# The installed package beside its CMake side: pkg-config, sonames, headers without warnings, and the pages
# that they cite.
include(${CMAKE_CURRENT_LIST_DIR}/../build_project.cmake)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

file(GLOB_RECURSE packages ${PREFIX}/weft.pc)
if(NOT packages)
  message(FATAL_ERROR "no weft.pc was installed")
endif()
cmake_path(GET packages PARENT_PATH folder)
set(ENV{PKG_CONFIG_PATH} ${folder})
run(pkg-config --cflags --libs weft)
separate_arguments(words UNIX_COMMAND "${output} ${FLAGS}")
run(pkg-config --variable=libdir weft)
string(STRIP "${output}" libraries)
run(${CXX} ${ROOT}/tests/examples/train_ner.cc ${words} -Wl,-rpath,${libraries} -o ${WORK}/train_ner)
fail(2 ${WORK}/train_ner)  # which wants a folder: it was linked and found its libraries

# A plugin without CMake, with the entry that the header shows: docs/plugins.md.
file(READ ${PREFIX}/include/weft/registry/plugins/plugin_entry.h header)
string(FIND "${header}" "//   #include" begin)
string(FIND "${header}" "#pragma once" end)
math(EXPR length "${end} - ${begin}")
string(SUBSTRING "${header}" ${begin} ${length} entry)
string(REPLACE "\n//   " "\n" entry "${entry}")
string(REGEX REPLACE "^//   " "" entry "${entry}")
file(WRITE ${WORK}/plugin_entry.cc "${entry}")
run(${CXX} -shared -fPIC -fvisibility=hidden ${ROOT}/examples/guide/custom_schedule.cc
    ${WORK}/plugin_entry.cc ${words} -o ${WORK}/acme.so)
run(${PREFIX}/bin/weft registry schedules my_custom_schedule.v1 --code ${WORK}/acme.so)
expect("From: acme 1.2.0")

run(readelf -d ${libraries}/libweft.so)
expect("soname: [libweft.so.0.2]")
expect("[libweft_registry.so.0.2]")

# One source with all headers.
set(include ${PREFIX}/include/weft)
file(GLOB_RECURSE headers RELATIVE ${include} ${include}/*.h)
set(source)
foreach(header IN LISTS headers)
  string(APPEND source "#include \"${header}\"\n")
endforeach()
file(WRITE ${WORK}/headers.cc "${source}")
run(${CXX} -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Werror
    -I${include} ${WORK}/headers.cc)

file(GLOB_RECURSE pages RELATIVE ${PREFIX}/share/doc/weft ${PREFIX}/share/doc/weft/*.md)
set(cited_pages 0)
foreach(header IN LISTS headers)
  file(STRINGS ${include}/${header} lines REGEX "docs/[a-z/_-]+\\.md")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "docs/([a-z/_-]+\\.md)" cited "${line}")
    math(EXPR cited_pages "${cited_pages} + 1")
    list(FIND pages "${CMAKE_MATCH_1}" place)
    if(place EQUAL -1)
      message(FATAL_ERROR "${header} cites ${cited}, which is not installed")
    endif()
  endforeach()
endforeach()
if(cited_pages LESS 10)
  message(FATAL_ERROR "only ${cited_pages} cited pages were found")
endif()
