// The classes that a group of documents is parsed with.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/ops/transition.h"
#include "framework/text/doc.h"

namespace weft {

// A recognizer's own classes and, behind them, classes that were never seen: those of the labels
// which entities of the documents carry already and the recognizer lacks. Their scores are the
// lowest, so that one is taken where nothing else fits to the annotation (spaCy 3.8,
// transition_parser.pyx, _ensure_labels_are_added; there the recognizer keeps them).
class EntityClasses {
 public:
  using Action = transition::Action;

  // `actions` and `unseen`, which may be empty, are the recognizer's and outlive this. Throws
  // Error(data) where the documents carry more labels than a component may have.
  EntityClasses(std::span<const Action> actions, std::span<const std::uint8_t> unseen,
                std::span<const Doc* const> docs);

  std::span<const Action> actions() const { return more() == 0 ? own_ : all_; }
  std::span<const std::uint8_t> unseen() const { return more() == 0 ? own_unseen_ : all_unseen_; }
  // How many there are behind the recognizer's own.
  int more() const { return more_; }

 private:
  std::span<const Action> own_;
  std::span<const std::uint8_t> own_unseen_;
  std::vector<Action> all_;  // empty where there are no others
  std::vector<std::uint8_t> all_unseen_;
  int more_ = 0;
};

}  // namespace weft
