// A resolved value: plain data, the result of a function, or a list or section that holds results.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "registry/functions/product.h"
#include "registry/value/config.h"

namespace weft {

class WEFT_API Argument {
 public:
  struct Member;
  using List = std::vector<Argument>;
  using Section = std::vector<Member>;  // in file order

  Argument();  // null
  Argument(Node data);
  Argument(Product product);
  // A list or section of plain data alone is data.
  explicit Argument(List items);
  explicit Argument(Section members);

  bool is_data() const { return std::holds_alternative<Node>(value_); }
  bool is_product() const { return std::holds_alternative<Product>(value_); }
  bool is_list() const { return std::holds_alternative<List>(value_); }  // with a product in it
  bool is_section() const {
    return std::holds_alternative<Section>(value_);
  }  // with a product in it

  const Node& data() const { return std::get<Node>(value_); }
  Node& data() { return std::get<Node>(value_); }
  const Product& product() const { return std::get<Product>(value_); }
  List& list() { return std::get<List>(value_); }
  const List& list() const { return std::get<List>(value_); }
  Section& section() { return std::get<Section>(value_); }
  const Section& section() const { return std::get<Section>(value_); }

  // The elements of a list, or the members of a section, data or not; empty for anything else. They
  // are moved out.
  List take_items();
  Section take_members();

  // "an integer", "a schedule", "a section" ...
  std::string type_name() const;

 private:
  std::variant<Node, Product, List, Section> value_;
};

struct WEFT_API Argument::Member {
  std::string key;
  Argument value;
};

// Below Member, which they need complete.
inline Argument::Argument() = default;
inline Argument::Argument(Node data) : value_(std::move(data)) {}
inline Argument::Argument(Product product) : value_(std::move(product)) {}

// The arguments of a function's call: one value per parameter, defaults included. The values of a
// variadic parameter stand under its name as one list.
class WEFT_API Arguments {
 public:
  void set(std::string name, Argument value);
  Argument* find(std::string_view name);
  const Argument::Section& all() const { return values_; }

 private:
  Argument::Section values_;
};

}  // namespace weft
