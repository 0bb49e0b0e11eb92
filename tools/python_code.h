// Functions registered from Python, for programs that have Python inside.
#pragma once

#include <string>
#include <string_view>

#include "registry/base/error.h"
#include "registry/functions/catalogue.h"

namespace weft::tools {

class PythonCode {
 public:
  virtual ~PythonCode() = default;
  // Runs the file, whose functions register themselves. Exceptions of the file pass through.
  virtual void import(const std::string& file) = 0;
  // Everything that was registered so far.
  virtual void add_functions(Catalogue& catalogue) = 0;
  // The way out where a function of a config is not known that was registered elsewhere; else "".
  virtual std::string hint_for(const std::string& function) = 0;
  // Shows where in the file an error arose, if it is one of a Python function.
  virtual void show(const Error& error) = 0;
};

// The Python of this program, which outlives all commands; null for none, as in the program `weft`.
void set_python_code(PythonCode* code);
PythonCode* python_code();

// Whether a word of --code is a file of Python.
bool is_python_file(std::string_view file);

}  // namespace weft::tools
