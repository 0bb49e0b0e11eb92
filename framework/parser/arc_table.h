// The output classes of a dependency parser: moves with labels, as often as the training data shows
// them (docs/parsing.md; spaCy 3.8, ArcEager).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/ops/arc_moves.h"
#include "framework/parser/move_table.h"
#include "framework/text/projective.h"
#include "framework/text/vocab.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API ArcTable {
 public:
  ArcTable();
  // From the text of `to_json`. Throws Error(data) for anything else.
  static ArcTable from_json(std::string_view json, std::string_view source);
  static ArcTable from_bytes(std::string_view bytes, std::string_view source);
  std::string to_json() const { return moves_to_json(frequencies_); }
  std::string to_bytes() const { return moves_to_bytes({frequencies_, {}}); }

  // In class order; the position is the row of the output layer.
  const std::vector<MoveClass>& classes() const { return classes_; }
  int size() const { return static_cast<int>(classes_.size()); }
  std::string name(int position) const;  // "S", "L-nsubj", "B-ROOT"
  // The labels of arcs and roots, sorted; of arcs that were lifted that of the old head, as in
  // spaCy.
  std::vector<std::string> labels() const;

  // The classes with string ids, in class order.
  std::vector<transition::ArcAction> actions(StringStore& strings) const;

 private:
  friend class ArcCounts;
  void take(MoveFrequencies frequencies);

  MoveFrequencies frequencies_;
  std::vector<MoveClass> classes_;
};

// Counts the moves that build the trees of a corpus.
class WEFT_API ArcCounts {
 public:
  ArcCounts();
  // `tree` has no crossing arcs.
  void add(const DependencyTree& tree);
  // Moves that were seen `least` times and more, with the labels that stand for all others: "dep"
  // of arcs, "ROOT" of roots; with `subtokens` also "subtok". Throws Error(data) for more labels
  // than a component may have.
  ArcTable table(std::int64_t least, bool subtokens) const;

 private:
  MoveFrequencies counts_;
};

}  // namespace weft
