// The output classes of a transition-based entity recognizer and the file they are kept in.
//
// Classes are not stored in order: they are derived from how often each label was seen, so the
// order below decides which weight row belongs to which class (spaCy 3.8, `moves`;
// docs/spacy-formats.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/ops/transition.h"
#include "framework/parser/move_table.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API ActionTable {
 public:
  // One output class by name.
  struct Class {
    Move move;
    std::string label;
    bool operator==(const Class&) const = default;
  };

  // Only the two classes that are always there: UNIT with the empty label and OUT.
  ActionTable();

  // In class order; the position is the row of the output layer.
  const std::vector<Class>& classes() const { return classes_; }
  int size() const { return static_cast<int>(classes_.size()); }
  // "B-PER", "U-", "O".
  std::string name(int position) const;
  // The labels of all entity classes, sorted.
  std::vector<std::string> labels() const;
  bool has_label(std::string_view label) const;

  // The label occurred `times` more often as an entity's. Order of the classes: see `sort`. Many
  // labels are given together, for the classes are put in order again with every call.
  void count(std::string_view label, std::int64_t times = 1) {
    count({{std::string(label), times}});
  }
  void count(const std::map<std::string, std::int64_t>& times);
  // Adds a label behind all classes there are, as by hand after training began. False if known.
  bool append(std::string_view label);
  // Adds those that are not known, one after the other; gives how many.
  int append(const std::vector<std::string>& labels);

  // Group of spans that are known to be wrong; kept in the file. Empty: none.
  const std::optional<std::string>& negative_key() const { return negative_key_; }
  void set_negative_key(std::optional<std::string> key) { negative_key_ = std::move(key); }

  // The frequencies as JSON: {"0":{},"1":{"PER":7},…}; also what a label file holds.
  std::string to_json() const;
  // Throws Error(data) for anything else. `source` names the text in messages.
  static ActionTable from_json(std::string_view json, std::string_view source);

  // The bytes of a `moves` file.
  std::string to_bytes() const;
  static ActionTable from_bytes(std::string_view bytes, std::string_view source);

 private:
  void sort();  // derives the classes, as `classes_of` orders them

  MoveFrequencies frequencies_;
  std::vector<Class> classes_;
  std::optional<std::string> negative_key_;
};

}  // namespace weft
