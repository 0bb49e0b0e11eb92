# Builds the example program as a stranger would and runs it; docs/cpp-api.md shows the same code.
include(${CMAKE_CURRENT_LIST_DIR}/../build_project.cmake)
build_project(${SOURCE})
run(${WORK}/train_ner ${WORK}/model)
foreach(line "Grace Hopper was born in London.\n  PERSON: Grace Hopper\n  GPE: London\n"
             "Ada Lovelace taught at Yale.\n  PERSON: Ada Lovelace\n  ORG: Yale\n"
             "I like Yale.\n  ORG: Yale\n")
  expect("${line}")
endforeach()

file(READ ${SOURCE}/train_ner.cc program)
file(READ ${ROOT}/docs/cpp-api.md page)
string(FIND "${page}" "```cpp\n${program}```" found)
if(found EQUAL -1)
  message(FATAL_ERROR "docs/cpp-api.md does not show tests/examples/train_ner.cc as it is")
endif()
