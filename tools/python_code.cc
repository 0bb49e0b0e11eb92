#include "tools/python_code.h"

namespace weft::tools {
namespace {

PythonCode* current = nullptr;

}  // namespace

void set_python_code(PythonCode* code) {
  current = code;
}

PythonCode* python_code() {
  return current;
}

bool is_python_file(std::string_view file) {
  return file.ends_with(".py");
}

}  // namespace weft::tools
