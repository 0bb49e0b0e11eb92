#include "registry/functions/type.h"

#include <algorithm>

#include "registry/base/suggest.h"
#include "registry/value/json.h"

namespace weft {
namespace {

std::string plural(const Type& type) {
  switch (type.kind()) {
    case Type::Kind::boolean:
    case Type::Kind::integer:
    case Type::Kind::floating:
    case Type::Kind::string:
    case Type::Kind::path:
    case Type::Kind::product:
      return "list of " + type.str() + "s";
    case Type::Kind::any:
    case Type::Kind::data:
      return "list";
    default:
      return "list of (" + type.str() + ")";
  }
}

std::string joined(const std::vector<Type>& parts) {
  std::string text;
  for (const Type& part : parts) text += (text.empty() ? "" : ", ") + part.str();
  return text;
}

std::string alternatives(const std::vector<Type>& parts) {
  std::vector<std::string> names;
  for (const Type& part : parts) names.push_back(part.str());
  return join_or(names);
}

std::string choices_text(const std::vector<Node>& choices) {
  std::vector<std::string> names;
  for (const Node& choice : choices) names.push_back(to_json(choice));
  return join_or(names);
}

std::string dict_text(const Type& value) {
  return value.kind() == Type::Kind::any || value.kind() == Type::Kind::data
             ? "section"
             : "section of (" + value.str() + ")";
}

}  // namespace

Type Type::with_parts(std::vector<Type> parts) && {
  parts_ = std::make_shared<const std::vector<Type>>(std::move(parts));
  return std::move(*this);
}

Type Type::integer(int bits) {
  Type type(Kind::integer);
  type.bits_ = static_cast<unsigned char>(bits);
  return type;
}

Type Type::choice(std::vector<Node> values) {
  Type type(Kind::choice);
  type.choices_ = std::make_shared<const std::vector<Node>>(std::move(values));
  return type;
}

Type Type::list(Type element) {
  return Type(Kind::list).with_parts({std::move(element)});
}

Type Type::tuple(std::vector<Type> places) {
  return Type(Kind::tuple).with_parts(std::move(places));
}

Type Type::dict(Type value, Type key) {
  return Type(Kind::dict).with_parts({std::move(key), std::move(value)});
}

Type Type::any_of(std::vector<Type> alternatives) {
  std::vector<Type> flat;
  for (Type& type : alternatives) {
    if (type.kind() != Kind::any_of) {
      flat.push_back(std::move(type));
    } else {
      flat.insert(flat.end(), type.parts().begin(), type.parts().end());
    }
  }
  return Type(Kind::any_of).with_parts(std::move(flat));
}

Type Type::product(ProductType product) {
  Type type(Kind::product);
  type.product_ = std::make_shared<const ProductType>(std::move(product));
  return type;
}

Type Type::strict() const {
  Type type = *this;
  type.strict_ = true;
  if (!parts_) return type;
  std::vector<Type> strict_parts;
  for (const Type& part : *parts_) strict_parts.push_back(part.strict());
  return std::move(type).with_parts(std::move(strict_parts));
}

const std::vector<Type>& Type::parts() const {
  static const std::vector<Type>& none = *new std::vector<Type>{};
  return parts_ ? *parts_ : none;
}

const std::vector<Node>& Type::choices() const {
  static const std::vector<Node>& none = *new std::vector<Node>{};
  return choices_ ? *choices_ : none;
}

const ProductType& Type::product_type() const {
  return *product_;
}

bool Type::admits_null() const {
  if (kind_ == Kind::any || kind_ == Kind::data || kind_ == Kind::null) return true;
  if (kind_ == Kind::choice) {
    return std::any_of(choices().begin(), choices().end(),
                       [](const Node& choice) { return choice.is_null(); });
  }
  return kind_ == Kind::any_of &&
         std::any_of(parts().begin(), parts().end(), [](const Type& t) { return t.admits_null(); });
}

std::string Type::str() const {
  switch (kind_) {
    case Kind::any:
      return "anything";
    case Kind::data:
      return "any value";
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "boolean";
    case Kind::integer:
      return "integer";
    case Kind::floating:
      return "number";
    case Kind::string:
      return "string";
    case Kind::path:
      return "path";
    case Kind::choice:
      return choices_text(choices());
    case Kind::list:
      return plural(parts()[0]);
    case Kind::tuple:
      return "list of exactly (" + joined(parts()) + ")";
    case Kind::dict:
      return dict_text(parts()[1]);
    case Kind::any_of:
      return alternatives(parts());
    case Kind::product:
      return product_->name;
    case Kind::callable:
      return "function";
  }
  return "";
}

}  // namespace weft
