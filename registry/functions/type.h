// The type of a parameter, as a value: what a config may say there.
// Source: docs/config.md, "Checks against signatures".
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Says which kind of function makes a C++ type, written beside the type's definition:
//
//   template <> struct weft::ProductTraits<Schedule> {
//     static constexpr std::string_view kind = "schedules", name = "schedule";
//     static constexpr bool callable = true;  // may be left out
//   };
template <class T>
struct ProductTraits {};

// The type of a registered function's result. Identity is the C++ type's name, compared as text:
// type_info objects of one type may differ between shared libraries with hidden visibility.
struct WEFT_API ProductType {
  std::string kind = "";      // "schedules"; may be empty for a type of no kind
  std::string name = "";      // "schedule": used in messages
  std::string cpp_name = "";  // typeid(T).name()
  bool callable = false;      // fits a parameter that asks for any function

  bool operator==(const ProductType& other) const { return cpp_name == other.cpp_name; }

  template <class T>
  static ProductType of() {
    ProductType type;
    if constexpr (requires { ProductTraits<T>::kind; }) type.kind = ProductTraits<T>::kind;
    if constexpr (requires { ProductTraits<T>::name; }) type.name = ProductTraits<T>::name;
    if constexpr (requires { ProductTraits<T>::callable; }) {
      type.callable = ProductTraits<T>::callable;
    }
    type.cpp_name = typeid(T).name();
    if (type.name.empty()) type.name = type.cpp_name;
    return type;
  }
  // One of several products that a C++ type stands for, told apart by a name: for signatures that
  // are made at run time.
  template <class T>
  static ProductType named(std::string name, bool callable = false) {
    ProductType type = of<T>();
    type.name = std::move(name);
    type.cpp_name += ":" + type.name;
    type.callable = callable;
    return type;
  }
};

// A type. Cheap to copy; the parts are shared.
class WEFT_API Type {
 public:
  enum class Kind : unsigned char {
    any,       // everything, results of functions included
    data,      // everything a file can say, no results of functions
    null,      // null alone
    boolean,   //
    integer,   //
    floating,  // takes integers too
    string,    //
    path,      // a string that names a file
    choice,    // one of some values
    list,      // all elements of one type
    tuple,     // a list of fixed length, a type for each place
    dict,      // a section or object with keys of the user's choice
    any_of,    // the first alternative that fits
    product,   // the result of a function of one product type
    callable,  // the result of a function that can itself be called
  };

  Type() = default;  // any
  static Type any() { return Type(Kind::any); }
  static Type data() { return Type(Kind::data); }
  static Type null() { return Type(Kind::null); }
  static Type boolean() { return Type(Kind::boolean); }
  // `bits` limits the value to a signed integer of 32 or 64 bits; 0 admits any size.
  static Type integer(int bits = 0);
  static Type floating() { return Type(Kind::floating); }
  static Type string() { return Type(Kind::string); }
  static Type path() { return Type(Kind::path); }
  static Type choice(std::vector<Node> values);
  static Type list(Type element);
  static Type tuple(std::vector<Type> places);
  static Type dict(Type value, Type key = string());
  static Type any_of(std::vector<Type> alternatives);  // nested unions are flattened
  static Type optional(Type type) { return any_of({std::move(type), null()}); }
  static Type product(ProductType product);
  static Type callable() { return Type(Kind::callable); }

  // The same type without conversions (see fit.h), the parts included.
  Type strict() const;

  Kind kind() const { return kind_; }
  bool is_strict() const { return strict_; }
  int bits() const { return bits_; }
  // list: the element; tuple: the places; dict: key and value; any_of: the alternatives.
  const std::vector<Type>& parts() const;
  const std::vector<Node>& choices() const;  // of a choice
  const ProductType& product_type() const;   // of a product
  bool admits_null() const;

  // "integer", "list of strings", "schedule or number", "integer or null": for messages and pages.
  std::string str() const;

 private:
  explicit Type(Kind kind) : kind_(kind) {}
  Type with_parts(std::vector<Type> parts) &&;

  Kind kind_ = Kind::any;
  bool strict_ = false;
  unsigned char bits_ = 0;
  std::shared_ptr<const std::vector<Type>> parts_;
  std::shared_ptr<const std::vector<Node>> choices_;
  std::shared_ptr<const ProductType> product_;
};

}  // namespace weft
