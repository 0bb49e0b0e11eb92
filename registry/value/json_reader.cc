#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "registry/value/json.h"
#include "registry/value/json_limits.h"
#include "registry/value/json_numbers.h"

namespace weft {
namespace {

// Builds the tree from the library's events. Returning false stops the parser.
class TreeBuilder {
 public:
  TreeBuilder(std::vector<SpecialNumber> specials, std::optional<std::string>* repeated)
      : specials_(std::move(specials)), repeated_(repeated) {}

  Node take() { return std::move(root_); }
  bool over_limit() const { return over_limit_; }

  bool null() { return add(Node(nullptr)); }
  bool boolean(bool value) { return add(Node(value)); }
  bool number_integer(std::int64_t value) { return add_number(Node(value)); }
  bool number_unsigned(std::uint64_t value) {
    if (value <= INT64_MAX) return add_number(Node(static_cast<std::int64_t>(value)));
    return add_number(Node(BigInteger{std::to_string(value)}));
  }
  bool number_float(double value, const std::string& text) {
    const bool integer = text.find_first_of(".eE") == std::string::npos;
    return add_number(integer ? number_from_text(text) : Node(value));
  }
  bool string(std::string& value) { return add(Node(std::move(value))); }
  bool binary(std::vector<std::uint8_t>&) { return false; }
  bool start_object(std::size_t) { return open(Node(Object())); }
  bool start_array(std::size_t) { return open(Node(List())); }
  bool key(std::string& value) {
    key_ = std::move(value);
    return true;
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  template <typename Exception>
  bool parse_error(std::size_t, const std::string&, const Exception&) {
    return false;
  }

 private:
  bool add_number(Node node) {
    const bool special = next_ < specials_.size() && specials_[next_].ordinal == numbers_;
    ++numbers_;
    return add(special ? std::move(specials_[next_++].value) : std::move(node));
  }

  bool add(Node node) { return place(std::move(node)) != nullptr; }

  Node* place(Node node) {
    over_limit_ |= ++values_ > kMostJsonValues;
    if (over_limit_) return nullptr;
    if (open_.empty()) {
      root_ = std::move(node);
      return &root_;
    }
    Node& parent = *open_.back();
    if (parent.is_list()) {
      parent.as_list().push_back(std::move(node));
      return &parent.as_list().back();
    }
    const std::size_t before = parent.as_object().size();
    Node& placed = parent.as_object().set(key_, std::move(node));
    if (repeated_ != nullptr && parent.as_object().size() == before) {
      *repeated_ = key_;
      return nullptr;
    }
    return &placed;
  }

  // Pointers to open parents stay valid: a parent only grows after its open child was closed.
  bool open(Node node) {
    over_limit_ |= open_.size() == kDeepestJson;
    if (over_limit_) return false;
    Node* placed = place(std::move(node));
    open_.push_back(placed);
    return placed != nullptr;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  Node root_;
  std::vector<Node*> open_;
  std::string key_;
  std::vector<SpecialNumber> specials_;
  std::size_t next_ = 0;     // the next special
  std::size_t numbers_ = 0;  // numbers seen
  std::size_t values_ = 0;
  bool over_limit_ = false;
  std::optional<std::string>* repeated_;  // null: keys may be repeated
};

// `repeated`: gets a key that an object has twice, which is refused then; null: the last one
// counts.
std::optional<Node> parse(std::string_view text, bool& over_limit,
                          std::optional<std::string>* repeated) {
  over_limit = false;
  std::optional<PlainJson> plain = without_special_numbers(text);
  if (!plain) return std::nullopt;
  TreeBuilder builder(std::move(plain->specials), repeated);
  const std::string_view source = plain->text.empty() ? text : std::string_view(plain->text);
  const bool sound = nlohmann::json::sax_parse(source.begin(), source.end(), &builder);
  over_limit = builder.over_limit();
  if (!sound) return std::nullopt;
  return builder.take();
}

}  // namespace

std::optional<Node> parse_json(std::string_view text, bool& over_limit) {
  return parse(text, over_limit, nullptr);
}

std::optional<Node> parse_json(std::string_view text, std::optional<std::string>& repeated) {
  bool over_limit = false;
  repeated.reset();
  return parse(text, over_limit, &repeated);
}

std::optional<Node> parse_json(std::string_view text) {
  bool over_limit = false;
  return parse_json(text, over_limit);
}

}  // namespace weft
