// Walking the tree by the dotted name of a section. Source: docs/config.md, "Structure".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "registry/value/config.h"

namespace weft {

// Bytes of a section's whole name in a file: each of its keys and their problems are called by it.
inline constexpr std::size_t kLongestPath = 1024;

// One part of a dotted name, and the name up to and including it.
struct SectionStep {
  std::string_view part;
  std::string_view path;
};

// The parts of "a.b.c" in order: `for (const SectionStep& step : SectionSteps(name))`. An empty
// name has one empty part.
class SectionSteps {
 public:
  explicit SectionSteps(std::string_view name) : name_(name) {}

  class Iterator {
   public:
    Iterator(std::string_view name, std::size_t start) : name_(name), start_(start) {}
    SectionStep operator*() const {
      const std::size_t end = name_.find('.', start_);
      return {name_.substr(start_, end == name_.npos ? end : end - start_), name_.substr(0, end)};
    }
    Iterator& operator++() {
      const std::size_t end = name_.find('.', start_);
      start_ = end == name_.npos ? name_.npos : end + 1;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return start_ != other.start_; }

   private:
    std::string_view name_;
    std::size_t start_;
  };

  Iterator begin() const { return {name_, 0}; }
  Iterator end() const { return {name_, std::string_view::npos}; }

 private:
  std::string_view name_;
};

// "a.b.c" to "a.b" and "c"; without a dot the section is empty and `has_section` false.
struct SplitPath {
  std::string_view section;
  std::string_view key;
  bool has_section = false;
};
SplitPath split_last(std::string_view path);

// The section of that name, made with all that is missing above it.
Node& make_section(Object& root, std::string_view name);

// The node at the name if every step is a section (declared, or the implicit `*`), or null.
// With `any_object` inline objects count as sections too.
Node* find_section(Object& root, std::string_view name, bool any_object = false);

// The full names of all declared sections, in tree order.
std::vector<std::string> declared_sections(const Object& root);

// The dotted paths of everything in the tree, sections and values, in tree order.
std::vector<std::string> all_paths(const Object& root);

// Gives the parts of an inline value the place of the whole.
void inherit_origin(Node& node);

// `path.key`, or the key alone at the top.
std::string join_path(std::string_view path, std::string_view key);

}  // namespace weft
