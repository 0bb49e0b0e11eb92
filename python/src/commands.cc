// The commands of the program, for `python -m weft`.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "functions.h"
#include "gil.h"
#include "python_failure.h"

#include "registry/base/input_file.h"
#include "tools/python_code.h"
#include "tools/run_program.h"

namespace weft::python {
namespace {

// --code file.py of the commands.
class CodeOfCommands : public tools::PythonCode {
 public:
  void import(const std::string& file) override {
    if (!is_there(file)) {
      throw Error(ErrorKind::usage, fmt::format("there is no file '{}'", file));
    }
    const auto run = [&] { nb::module_::import_("weft.registered").attr("import_code")(file); };
    in_python("the file " + file, run, "which --code names");
  }
  void add_functions(Catalogue& catalogue) override { add_python_functions(catalogue); }
  std::string hint_for(const std::string& function) override { return python::hint_for(function); }
  void show(const Error& error) override {
    const auto* failure = dynamic_cast<const PythonFailure*>(&error);
    if (failure == nullptr) return;
    const HeldGil acquire;
    failure->show();
  }
};

int run_command(const std::vector<std::string>& words) {
  static CodeOfCommands& code = *new CodeOfCommands;
  tools::set_python_code(&code);
  const ReleasedGil release;
  return tools::run_program(words);
}

}  // namespace

void bind_commands(nb::module_& module) {
  module.def("_run_command", run_command, nb::arg("words"));
}

}  // namespace weft::python
