// Bounds the results of a file of tokenizer rules, whose names stand for other names: a few lines
// can describe more than any memory holds.
#pragma once

#include <cstddef>

#include "registry/base/error.h"

namespace weft {

class RuleBudget {
 public:
  // To be called before `size` bytes of a result are made, or as many steps are taken. Throws
  // Error(config) when a file has used all that it may; the caller adds the place.
  void charge(std::size_t size) {
    if (size > left_) {
      throw Error(ErrorKind::config,
                  "the rules take more than 64 MiB when their names are replaced by what they "
                  "stand for");
    }
    left_ -= size;
  }

 private:
  std::size_t left_ = std::size_t{64} << 20;
};

// Counts how deep parentheses are nested while one of them is read. Throws Error(config) beyond the
// depth that expressions may have (docs/limits.md).
class RuleDepth {
 public:
  explicit RuleDepth(int& depth) : depth_(depth) {
    constexpr int kMostGroups = 200;
    if (depth_ == kMostGroups) {
      throw Error(ErrorKind::config, "groups are nested too deeply");
    }
    ++depth_;
  }
  ~RuleDepth() { --depth_; }
  RuleDepth(const RuleDepth&) = delete;
  RuleDepth& operator=(const RuleDepth&) = delete;

 private:
  int& depth_;
};

}  // namespace weft
