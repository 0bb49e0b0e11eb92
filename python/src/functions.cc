#include "functions.h"

#include <utility>

#include <nanobind/stl/string.h>

#include "bind.h"
#include "gil.h"
#include "nodes.h"
#include "python_failure.h"
#include "text.h"

#include "components/weft.h"
#include "framework/pipeline/callback.h"
#include "framework/training/augmenter.h"
#include "framework/training/batcher.h"
#include "framework/training/logger.h"
#include "framework/training/reader.h"
#include "framework/training/schedule.h"

namespace weft::python {
namespace {

using Make = Argument (*)(const Held& made, const std::string& where);

struct Kind {
  std::string_view name;
  const char* singular;
  Make make;
  Type (*result)();
};

template <class T>
Type product_type() {
  return Type::product(ProductType::of<T>());
}

// Readers and functions of `misc` may give plain data.
constexpr Kind kKinds[] = {{"loggers", "logger", make_logger, product_type<Logger>},
                           {"readers", "reader", make_reader, Type::any},
                           {"schedules", "schedule", make_schedule, product_type<Schedule>},
                           {"batchers", "batcher", make_batcher, product_type<BatcherPtr>},
                           {"scorers", "scorer", make_scorer, product_type<Scorer>},
                           {"callbacks", "callback", make_callback, product_type<Callback>},
                           {"augmenters", "augmenter", make_augmenter, product_type<Augmenter>},
                           {"misc", "function", make_value, Type::any}};

const Kind& kind_named(std::string_view name) {
  for (const Kind& kind : kKinds) {
    if (kind.name == name) return kind;
  }
  throw Error(ErrorKind::internal, "Python has no functions of the kind " + std::string(name));
}

// Values of a block, by the names of the parameters.
nb::dict dict_of(const Arguments& arguments) {
  nb::dict values;
  for (const Argument::Member& member : arguments.all()) {
    values[str_of(member.key)] = argument_to_python(member.value);
  }
  return values;
}

Function function_of(nb::handle entry) {
  const nb::str kind_name(entry.attr("kind")), name(entry.attr("name")), doc(entry.attr("doc")),
      library(entry.attr("library"));
  const Kind& kind = kind_named(utf8_of(kind_name));
  const std::string where = std::string("the ") + kind.singular + " " + std::string(utf8_of(name));
  const Held call(entry.attr("call"));
  Function function(std::string(kind.name), std::string(utf8_of(name)), std::string(utf8_of(doc)),
                    signature_of_python(entry.attr("parameters")), kind.result(),
                    [call, where, make = kind.make](Arguments& arguments) {
                      return in_python(where, [&] {
                        const Held made(call.get()(dict_of(arguments)));
                        return make(made, where);
                      });
                    });
  function.set_library(std::string(utf8_of(library)));
  return function;
}

}  // namespace

void require_callable(const Held& made, const std::string& where, const char* wanted) {
  if (PyCallable_Check(made.get().ptr()) != 0) return;
  const nb::str shown = nb::repr(made.get());
  raise_type_error(where + " made " + std::string(utf8_of(shown)) + ", not " + wanted);
}

void add_python_functions(Catalogue& catalogue) {
  const HeldGil acquire;
  // The module is there only where somebody has used it.
  const nb::dict modules(nb::module_::import_("sys").attr("modules"));
  if (!modules.contains("weft.registered")) return;
  const nb::object registry = modules["weft.registered"].attr("registry");
  for (const nb::handle entry : registry.attr("all")()) catalogue.add(function_of(entry));
}

void bind_functions(nb::module_& module) {
  module.def(
      "_is_built_in",
      [](const std::string& kind, const std::string& name) {
        const Function* function = builtin_catalogue().find(kind, name);
        return function != nullptr && function->built();
      },
      nb::arg("kind"), nb::arg("name"));
}

}  // namespace weft::python
