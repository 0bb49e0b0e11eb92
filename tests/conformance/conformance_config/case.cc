#include "tests/conformance/conformance_config/case.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::conformance {
namespace {

double special_float(const std::string& name) {
  if (name == "nan") return std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  return name == "inf" ? infinity : -infinity;
}

Node object_node(const Json& json) {
  if (json.size() == 1 && json.contains("$float")) return Node(special_float(json["$float"]));
  if (json.size() == 1 && json.contains("$int")) return Node(BigInteger{json["$int"]});
  if (json.size() == 1 && json.contains("$tuple")) return to_node(json["$tuple"]);
  Object object;
  for (const auto& [key, value] : json.items()) object.set(key, to_node(value));
  return Node(std::move(object));
}

}  // namespace

bool Case::tagged(std::string_view tag) const {
  if (!has("tags")) return false;
  const Json& tags = record_["tags"];
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

Node to_node(const Json& json) {
  switch (json.type()) {
    case Json::value_t::boolean:
      return Node(json.get<bool>());
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return Node(json.get<std::int64_t>());
    case Json::value_t::number_float:
      return Node(json.get<double>());
    case Json::value_t::string:
      return Node(json.get<std::string>());
    case Json::value_t::array: {
      List list;
      for (const Json& item : json) list.push_back(to_node(item));
      return Node(std::move(list));
    }
    case Json::value_t::object:
      return object_node(json);
    default:
      return Node(nullptr);
  }
}

}  // namespace weft::conformance
