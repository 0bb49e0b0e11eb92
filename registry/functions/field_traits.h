// How the C++ type of a field maps to the type of a parameter, and values to and fro.
//
// FieldTraits<T> gives: type(), what a config may say; read(argument), the value, once it was
// checked against that type; write(value), the default as a config would say it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "registry/functions/argument.h"
#include "registry/functions/fit.h"
#include "registry/functions/type.h"

namespace weft {

// Lets a product be written as plain data too, or makes a type of one's own that of a field. A
// specialisation gives
//   static Type accepts();                       what data stands for it: number, list ...
//   static T from_node(const Node& data);        the value
//   static Node to_node(const T& value);         products may leave it out; needed for defaults
//   static std::string fault(const Node& data);  what is wrong with data of that type, "" if
//                                                nothing is; not for products
template <class T>
struct FieldConversion;

template <class T>
concept ProductField = requires {
  ProductTraits<T>::name;
};
template <class T>
concept ConvertibleProduct = ProductField<T> && requires {
  FieldConversion<T>::accepts();
};
template <class T>
concept ConvertibleField = !ProductField<T> && requires {
  FieldConversion<T>::accepts();
};
// Enumerations give their names, in order from zero: `constexpr auto enum_names(Colour) { return
// std::array{"red", "green"}; }` in the namespace of the type.
template <class T>
concept NamedEnum = std::is_enum_v<T> && requires(T value) {
  enum_names(value);
};

// Throws Error(internal): a value that was not checked reached a field.
[[noreturn]] WEFT_API void throw_unchecked_field(const Type& type, const Argument& value);
// The double whose shortest text is that of `value`: 0.1f becomes 0.1.
WEFT_API double widen(float value);

template <class T>
struct FieldTraits;

template <>
struct FieldTraits<bool> {
  static Type type() { return Type::boolean(); }
  static bool read(Argument&& value) { return value.data().as_bool(); }
  static Node write(bool value) { return value; }
};

template <>
struct FieldTraits<int> {
  static Type type() { return Type::integer(32); }
  static int read(Argument&& value) { return static_cast<int>(value.data().as_integer()); }
  static Node write(int value) { return value; }
};

template <>
struct FieldTraits<std::int64_t> {
  static Type type() { return Type::integer(64); }
  static std::int64_t read(Argument&& value) { return value.data().as_integer(); }
  static Node write(std::int64_t value) { return value; }
};

template <>
struct FieldTraits<double> {
  static Type type() { return Type::floating(); }
  static double read(Argument&& value) { return value.data().as_float(); }
  static Node write(double value) { return value; }
};

template <>
struct FieldTraits<float> {
  static Type type() { return Type::floating(); }
  static float read(Argument&& value) { return static_cast<float>(value.data().as_float()); }
  static Node write(float value) { return widen(value); }
};

template <>
struct FieldTraits<std::string> {
  static Type type() { return Type::string(); }
  static std::string read(Argument&& value) { return value.data().as_string(); }
  static Node write(const std::string& value) { return value; }
};

template <>
struct FieldTraits<std::filesystem::path> {
  static Type type() { return Type::path(); }
  static std::filesystem::path read(Argument&& value) { return value.data().as_string(); }
  static Node write(const std::filesystem::path& value) { return value.string(); }
};

template <>
struct FieldTraits<Node> {
  static Type type() { return Type::data(); }
  static Node read(Argument&& value) { return std::move(value.data()); }
  static Node write(const Node& value) { return value; }
};

template <>
struct FieldTraits<Object> {
  static Type type() { return Type::dict(Type::data()); }
  static Object read(Argument&& value) { return std::move(value.data().as_object()); }
  static Node write(const Object& value) { return value; }
};

template <>
struct FieldTraits<Argument> {  // anything at all, results of functions included
  static Type type() { return Type::any(); }
  static Argument read(Argument&& value) { return std::move(value); }
  static Node write(const Argument& value) { return value.data(); }
};

template <NamedEnum T>
struct FieldTraits<T> {
  static Type type() {
    std::vector<Node> names;
    for (const auto& name : enum_names(T{})) names.emplace_back(std::string(name));
    return Type::choice(std::move(names));
  }
  static T read(Argument&& value) {
    int index = 0;
    for (const auto& name : enum_names(T{})) {
      if (value.data().as_string() == name) return static_cast<T>(index);
      ++index;
    }
    throw_unchecked_field(type(), value);
  }
  static Node write(T value) {
    return std::string(enum_names(T{}).at(static_cast<std::size_t>(value)));
  }
};

template <ProductField T>
struct FieldTraits<T> {
  static Type type() {
    Type product = Type::product(ProductType::of<T>());
    if constexpr (ConvertibleProduct<T>) {
      return Type::any_of({std::move(product), FieldConversion<T>::accepts()});
    }
    return product;
  }
  static T read(Argument&& value) {
    if constexpr (ConvertibleProduct<T>) {
      if (value.is_data()) return FieldConversion<T>::from_node(value.data());
    }
    T* product = value.is_product() ? value.product().get<T>() : nullptr;
    if (product == nullptr) throw_unchecked_field(type(), value);
    return std::move(*product);  // each appearance of a block is a call of its own
  }
  // A product without a plain default wants `required`, `block` or std::optional.
  static Node write(const T& value) requires requires { FieldConversion<T>::to_node(value); }
  { return FieldConversion<T>::to_node(value); }
};

template <ConvertibleField T>
struct FieldTraits<T> {
  static Type type() { return FieldConversion<T>::accepts(); }
  static std::string fault(const Node& data) { return FieldConversion<T>::fault(data); }
  static T read(Argument&& value) { return FieldConversion<T>::from_node(value.data()); }
  static Node write(const T& value) { return FieldConversion<T>::to_node(value); }
};

template <class T>
struct FieldTraits<std::optional<T>> {
  static Type type() { return Type::optional(FieldTraits<T>::type()); }
  static std::string fault(const Node& data) requires ConvertibleField<T> {
    return data.is_null() ? "" : FieldTraits<T>::fault(data);
  }
  static std::optional<T> read(Argument&& value) {
    if (value.is_data() && value.data().is_null()) return std::nullopt;
    return FieldTraits<T>::read(std::move(value));
  }
  static Node write(const std::optional<T>& value) {
    if constexpr (!ProductField<T> ||
                  requires(const T& product) { FieldConversion<T>::to_node(product); }) {
      return value ? FieldTraits<T>::write(*value) : Node();
    }
    return Node();
  }
};

template <class T>
struct FieldTraits<std::vector<T>> {
  static Type type() { return Type::list(FieldTraits<T>::type()); }
  static std::vector<T> read(Argument&& value) {
    std::vector<T> result;
    for (Argument& item : value.take_items()) {
      result.push_back(FieldTraits<T>::read(std::move(item)));
    }
    return result;
  }
  static Node write(const std::vector<T>& value) {
    List list;
    for (const auto& item : value) list.push_back(FieldTraits<T>::write(item));
    return list;
  }
};

template <class... Ts>
struct FieldTraits<std::tuple<Ts...>> {
  static Type type() { return Type::tuple({FieldTraits<Ts>::type()...}); }
  static std::tuple<Ts...> read(Argument&& value) {
    Argument::List items = value.take_items();
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple<Ts...>{FieldTraits<Ts>::read(std::move(items.at(I)))...};
    }
    (std::index_sequence_for<Ts...>{});
  }
  static Node write(const std::tuple<Ts...>& value) {
    return std::apply(
        [](const Ts&... places) { return Node(List{FieldTraits<Ts>::write(places)...}); }, value);
  }
};

template <class T>
struct FieldTraits<std::map<std::string, T>> {
  static Type type() { return Type::dict(FieldTraits<T>::type()); }
  static std::map<std::string, T> read(Argument&& value) {
    std::map<std::string, T> result;
    for (Argument::Member& member : value.take_members()) {
      result.emplace(std::move(member.key), FieldTraits<T>::read(std::move(member.value)));
    }
    return result;
  }
  static Node write(const std::map<std::string, T>& value) {
    Object object;
    for (const auto& [key, item] : value) object.set(key, FieldTraits<T>::write(item));
    return object;
  }
};

template <class... Ts>
struct FieldTraits<std::variant<Ts...>> {
  using Variant = std::variant<Ts...>;
  static Type type() { return Type::any_of({FieldTraits<Ts>::type()...}); }
  static Variant read(Argument&& value) {
    std::optional<Variant> result;
    (read_as<Ts>(value, result) || ...);
    if (!result) throw_unchecked_field(type(), value);
    return std::move(*result);
  }
  static Node write(const Variant& value) {
    return std::visit(
        []<class T>(const T& held) {
          if constexpr (requires { FieldTraits<T>::write(held); }) {
            return FieldTraits<T>::write(held);
          }
          return Node();
        },
        value);
  }

 private:
  template <class T>
  static bool read_as(Argument& value, std::optional<Variant>& result) {
    if (!admits(FieldTraits<T>::type(), value)) return false;
    result.emplace(FieldTraits<T>::read(std::move(value)));
    return true;
  }
};

}  // namespace weft
