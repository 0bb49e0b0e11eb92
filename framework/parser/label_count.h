// Bounds the labels of a parser or an entity recognizer as they are read. Each becomes several
// moves, all of them with its text, so they are counted before moves are made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "registry/base/export.h"
#include "registry/base/seeded_hash.h"

namespace weft {

class Node;

class WEFT_API LabelCount {
 public:
  // All labels of all moves together, in bytes.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 23;

  // `source` names the labels in messages.
  explicit LabelCount(std::string source) : source_(std::move(source)) {}
  // Counts the label unless it is empty or known; its text has to outlive the count. Throws
  // Error(data) for one beyond kMostClasses or kMostBytes.
  void add(std::string_view label);
  // The labels of a config: a list of them, or a table of moves. Anything else has none.
  void add_all(const Node& labels);

 private:
  std::string source_;
  std::unordered_set<std::string_view, SeededHash> labels_;
  std::size_t bytes_ = 0;
};

}  // namespace weft
