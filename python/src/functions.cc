#include "functions.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "bind.h"
#include "gil.h"
#include "nodes.h"
#include "python_failure.h"
#include "text.h"

#include "components/weft.h"
#include "framework/training/schedule.h"
#include "registry/base/article.h"
#include "registry/functions/fact.h"

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

// The fact by which functions of Python are known.
constexpr std::string_view kOfPython = "of_python";

bool is_kind_of_python(std::string_view name) {
  return std::any_of(std::begin(kKinds), std::end(kKinds),
                     [&](const Kind& kind) { return kind.name == name; });
}

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
  function.set_meta(fmt::format(R"({{"{}": true}})", kOfPython));
  return function;
}

}  // namespace

void require_callable(const Held& made, const std::string& where, const char* wanted) {
  if (PyCallable_Check(made.get().ptr()) != 0) return;
  const nb::str shown = nb::repr(made.get());
  raise_type_error(where + " made " + std::string(utf8_of(shown)) + ", not " + wanted);
}

std::string fault_for_python(const Function& function) {
  const Type& result = function.result();
  if (result.kind() != Type::Kind::product || has_fact(function, kOfPython)) return "";
  if (result.product_type() == ProductType::of<Schedule>()) return "";
  std::string fault =
      fmt::format("{} gives {} of C++, which cannot be handed to a function of Python",
                  function.name(), with_article(result.product_type().name));
  if (is_kind_of_python(function.kind())) {
    fault += fmt::format("; one that is registered with @weft.registry.{} can", function.kind());
  }
  return fault;
}

void add_python_functions(Catalogue& catalogue) {
  const HeldGil acquire;
  // The module is there only where somebody has used it.
  const nb::dict modules(nb::module_::import_("sys").attr("modules"));
  if (!modules.contains("weft.registered")) return;
  const nb::object registry = modules["weft.registered"].attr("registry");
  const nb::list entries(registry.attr("all")());
  for (const nb::handle entry : entries) catalogue.add(function_of(entry));
  if (entries.size() == 0) return;
  catalogue.on_seed([](std::int64_t number) {
    in_python("the seed", [&] { nb::module_::import_("weft.registered").attr("seed")(number); });
  });
}

std::string hint_for(const std::string& function) {
  return in_python("the registry", [&] {
    const nb::object hint = nb::module_::import_("weft.registered").attr("hint_for");
    return std::string(utf8_of(nb::str(hint(str_of(function)))));
  });
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
