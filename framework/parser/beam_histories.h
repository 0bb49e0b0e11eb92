// The classes that the analyses of one document have taken. Analyses share the beginnings of their
// histories: a history is a place in a tree, which names the class taken last and the history
// before it. Histories that no analysis refers to any more are dropped now and then, so that memory
// follows from the histories that are left and not from all that were tried.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "registry/base/export.h"

namespace weft {

class WEFT_API BeamHistories {
 public:
  static constexpr std::int32_t kNone = -1;
  static constexpr std::int32_t kEmpty = 0;  // the history of a parse that has not begun

  BeamHistories() : nodes_(1) {}

  // A history with one class more.
  std::int32_t extended(std::int32_t history, std::int32_t taken);
  // The same; gives the history that is there if one of this step, which began with `begin_step`,
  // has those classes. So two beams that share a tree compare histories by their numbers.
  std::int32_t shared(std::int32_t history, std::int32_t taken);
  void begin_step() { step_begin_ = static_cast<std::int32_t>(nodes_.size()); }

  std::int32_t length(std::int32_t history) const { return at(history).length; }
  std::int32_t before(std::int32_t history) const { return at(history).before; }
  std::int32_t taken(std::int32_t history) const { return at(history).taken; }
  // The classes from the first on.
  std::vector<std::int32_t> classes(std::int32_t history) const;

  // A number that the caller keeps with a history; kNone before it is set.
  std::int32_t mark(std::int32_t history) const { return at(history).mark; }
  void set_mark(std::int32_t history, std::int32_t mark) { at(history).mark = mark; }

  // Whether so much was added that `keep` is worth its time.
  bool is_crowded() const { return nodes_.size() >= crowded_at_; }
  // Drops all histories but these and those they go on from; gives them their new numbers.
  void keep(std::span<std::int32_t* const> used);

 private:
  struct Node {
    std::int32_t before = kNone;
    std::int32_t taken = kNone;
    std::int32_t length = 0;
    std::int32_t mark = kNone;
    std::int32_t next = kNone;   // of the histories of this step with the same beginning
    std::int32_t first = kNone;  // of those that go on from this one in this step
  };
  const Node& at(std::int32_t history) const { return nodes_[static_cast<std::size_t>(history)]; }
  Node& at(std::int32_t history) { return nodes_[static_cast<std::size_t>(history)]; }

  static constexpr std::size_t kFew = 4096;
  std::vector<Node> nodes_;
  std::int32_t step_begin_ = 0;
  std::size_t crowded_at_ = kFew;
};

}  // namespace weft
