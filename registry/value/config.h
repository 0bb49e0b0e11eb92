// The config tree: what a `.cfg` or `.toml` file means, before anything is looked up in a
// catalogue.
//
//   weft::Config config = weft::read_config_file("train.cfg", problems);
//   const weft::Node* rate = config.find("training.dropout");
//
// A tree of objects with ordered string keys; leaves are null, boolean, integer, float, string or
// list. Every node knows where it came from and what it replaced. Source: docs/config.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "registry/base/export.h"
#include "registry/base/origin.h"

namespace weft {

class Node;

// An integer outside 64 bits, kept as its decimal digits with an optional leading '-'.
struct BigInteger {
  std::string digits;
  bool operator==(const BigInteger&) const = default;
};

// An ordered map from keys to nodes. Look-ups are O(1) for large objects.
class WEFT_API Object {
 public:
  struct Entry;
  Object();
  Object(const Object&);
  Object(Object&&) noexcept;
  Object& operator=(const Object&);
  Object& operator=(Object&&) noexcept;
  ~Object();

  std::size_t size() const;
  bool empty() const { return size() == 0; }
  Node* find(std::string_view key);
  const Node* find(std::string_view key) const;
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  // Appends, or replaces in place (the order does not change). Returns the stored node.
  Node& set(std::string_view key, Node value);
  bool erase(std::string_view key);

  // Iteration is in order: `for (const auto& [key, node] : object)`.
  Entry* begin();
  Entry* end();
  const Entry* begin() const;
  const Entry* end() const;

 private:
  struct Index;
  std::vector<Entry> entries_;
  std::unique_ptr<Index> index_;  // built above a handful of keys
};

using List = std::vector<Node>;

class WEFT_API Node {
 public:
  using Value = std::variant<std::nullptr_t, bool, std::int64_t, BigInteger, double, std::string,
                             List, Object>;

  Node();  // null
  Node(std::nullptr_t);
  Node(bool value);
  Node(int value);
  Node(std::int64_t value);
  Node(BigInteger value);
  Node(double value);
  Node(const char* value);
  Node(std::string value);
  Node(List value);
  Node(Object value);

  const Value& value() const { return value_; }
  Value& value() { return value_; }

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
  bool is_bool() const { return std::holds_alternative<bool>(value_); }
  bool is_integer() const {
    return std::holds_alternative<std::int64_t>(value_) ||
           std::holds_alternative<BigInteger>(value_);
  }
  bool is_float() const { return std::holds_alternative<double>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_list() const { return std::holds_alternative<List>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }

  // The value as that type; std::bad_variant_access if it is another one (a mistake of ours).
  bool as_bool() const { return std::get<bool>(value_); }
  std::int64_t as_integer() const { return std::get<std::int64_t>(value_); }
  double as_float() const { return std::get<double>(value_); }
  const std::string& as_string() const { return std::get<std::string>(value_); }
  const List& as_list() const { return std::get<List>(value_); }
  List& as_list() { return std::get<List>(value_); }
  const Object& as_object() const { return std::get<Object>(value_); }
  Object& as_object() { return std::get<Object>(value_); }

  // "null", "a boolean", "an integer", "a float", "a string", "a list", "a section".
  std::string_view type_name() const;

  // Same value, types included (1 differs from 1.0; NaN equals NaN); origins are not compared and
  // neither is the order of keys.
  bool same_value(const Node& other) const;

  Origin origin;                         // of the value
  Origin key_origin;                     // of the key or section header that holds it
  std::shared_ptr<const Node> replaced;  // the value that an override took the place of
  std::vector<std::string> comments;     // whole-line comments above the key or header
  bool declared = false;                 // an object that has a header of its own
  bool kept_raw = false;   // a string that is raw text with variables (kept mode): `"${a.b}/x"`
  bool kept_text = false;  // a string whose ${...} expand to text only (kept mode, inside lists)

 private:
  Value value_;
};

struct WEFT_API Object::Entry {
  std::string key;
  Node node;
};

// A whole config: the root object plus what stands outside any key.
class WEFT_API Config {
 public:
  Config() = default;
  explicit Config(Object root) : root_(std::move(root)) {}

  Object& root() { return root_; }
  const Object& root() const { return root_; }

  // The node at a dotted path ("training.optimizer.learn_rate"), or null. A part that is itself a
  // key with dots is not found this way.
  Node* find(std::string_view path);
  const Node* find(std::string_view path) const;

  std::vector<std::string> trailing_comments;  // below the last key

 private:
  Object root_;
};

}  // namespace weft
