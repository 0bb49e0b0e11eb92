#include "nodes.h"

#include <string>

#include "text.h"

namespace weft::python {
namespace {

struct ToPython {
  nb::object operator()(std::nullptr_t) const { return nb::none(); }
  nb::object operator()(bool value) const { return nb::bool_(value); }
  nb::object operator()(std::int64_t value) const { return nb::int_(value); }
  nb::object operator()(double value) const { return nb::float_(value); }
  nb::object operator()(const std::string& value) const { return str_of(value); }
  nb::object operator()(const Object& value) const { return to_dict(value); }
  nb::object operator()(const BigInteger& value) const {
    return nb::steal(PyLong_FromString(value.digits.c_str(), nullptr, 10));
  }
  nb::object operator()(const List& value) const {
    nb::list list;
    for (const Node& node : value) list.append(to_python(node));
    return list;
  }
};

// A step into a value. One that holds itself would be walked through for ever: throws
// RecursionError where Python's own functions do.
struct Level {
  Level() {
    if (Py_EnterRecursiveCall(" in a value of a config") != 0) throw nb::python_error();
  }
  ~Level() { Py_LeaveRecursiveCall(); }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
};

List list_of(nb::handle values) {
  List list;
  for (const nb::handle value : values) list.push_back(node_of(value));
  return list;
}

Object object_of(nb::handle values) {
  Object object;
  for (const auto [key, value] : nb::borrow<nb::dict>(values)) {
    object.set(utf8_of(key), node_of(value));
  }
  return object;
}

Node integer_of(nb::handle value) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow == 0) return Node(static_cast<std::int64_t>(number));
  return Node(BigInteger{std::string(utf8_of(nb::str(value)))});
}

}  // namespace

nb::object to_python(const Node& node) {
  return std::visit(ToPython(), node.value());
}

nb::dict to_dict(const Object& object) {
  nb::dict dict;
  for (const auto& [key, node] : object) dict[str_of(key)] = to_python(node);
  return dict;
}

Node node_of(nb::handle value) {
  const Level level;
  if (value.is_none()) return Node();
  if (nb::isinstance<nb::bool_>(value)) return Node(nb::cast<bool>(value));
  if (nb::isinstance<nb::int_>(value)) return integer_of(value);
  if (nb::isinstance<nb::float_>(value)) return Node(nb::cast<double>(value));
  if (nb::isinstance<nb::str>(value)) return Node(std::string(utf8_of(value)));
  if (nb::isinstance<nb::dict>(value)) return Node(object_of(value));
  if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
    return Node(list_of(value));
  }
  if (PyObject_HasAttrString(value.ptr(), "__fspath__") != 0) {
    return Node(std::string(utf8_of(nb::str(value))));
  }
  if (nb::hasattr(value, "item")) return node_of(value.attr("item")());  // a number of NumPy
  throw nb::type_error("a config holds None, bool, int, float, str, list and dict");
}

std::optional<Node> data_of(nb::handle value) {
  try {
    return node_of(value);
  } catch (const nb::builtin_exception&) {
    return std::nullopt;
  } catch (const nb::python_error&) {  // a key that is no text
    return std::nullopt;
  }
}

Overrides overrides_of(const nb::dict& values) {
  Overrides overrides;
  for (const auto [name, value] : values) overrides.emplace_back(utf8_of(name), node_of(value));
  return overrides;
}

}  // namespace weft::python
