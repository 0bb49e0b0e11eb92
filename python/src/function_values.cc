// Arguments of registered functions as Python objects, and values that functions of `misc` give.
#include <optional>

#include "functions.h"
#include "nodes.h"
#include "python_failure.h"
#include "schedules.h"

#include "framework/training/schedule.h"
#include "registry/base/article.h"

namespace weft::python {
namespace {

template <class T>
Held source_in(const Product& product) {
  const T* value = product.get<T>();
  return value == nullptr ? Held() : source_of(*value);
}

// Of the one kind that the product is of.
template <class... Kinds>
Held first_source(const Product& product) {
  Held found;
  static_cast<void>(((found = source_in<Kinds>(product)) || ...));
  return found;
}

struct ToPython {
  nb::object operator()(const Node& data) const { return to_python(data); }
  nb::object operator()(const Product& product) const {
    if (const auto* value = product.get<PythonValue>()) return value->object.get();
    if (const auto* schedule = product.get<Schedule>()) return nb::cast(PythonSchedule{*schedule});
    const Held source =
        first_source<Logger, Reader, BatcherPtr, Scorer, Callback, Augmenter>(product);
    if (source) return source.get();
    raise_type_error(with_article(product.type().name) +
                     " of C++ cannot be handed to a function of Python");
  }
  nb::object operator()(const Argument::List& items) const {
    nb::list list;
    for (const Argument& item : items) list.append(argument_to_python(item));
    return list;
  }
  nb::object operator()(const Argument::Section& members) const {
    nb::dict dict;
    for (const Argument::Member& member : members) {
      dict[member.key.c_str()] = argument_to_python(member.value);
    }
    return dict;
  }
};

}  // namespace

nb::object argument_to_python(const Argument& argument) {
  if (argument.is_data()) return ToPython()(argument.data());
  if (argument.is_product()) return ToPython()(argument.product());
  if (argument.is_list()) return ToPython()(argument.list());
  return ToPython()(argument.section());
}

// Plain data are those of a config; all else stays what it is, for other functions of Python.
Argument make_value(const Held& made, const std::string&) {
  const nb::object value = made.get();
  if (const std::optional<Node> data = data_of(value)) return *data;
  const bool callable = PyCallable_Check(value.ptr()) != 0;
  return Product::of(PythonValue{made}, value_type(callable));
}

}  // namespace weft::python
