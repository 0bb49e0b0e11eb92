// Bounds the work of lemmatizing a document by rules, whose number and words' length are another's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "registry/base/export.h"

namespace weft {

class WEFT_API LemmaWork {
 public:
  // For a document of so many tokens (docs/limits.md).
  explicit LemmaWork(int tokens);

  // An ending that a word does not have.
  void pass() { spend(1); }
  // One that it has: a form of `bytes` is made and looked up. Throws Error(data), as `pass` does,
  // where the document has had all the steps that it may take.
  void make(std::size_t bytes) { spend(8 + bytes / 16); }

 private:
  void spend(std::uint64_t steps) {
    if (steps > left_) give_up();
    left_ -= steps;
  }
  [[noreturn]] void give_up() const;

  int tokens_;
  std::uint64_t left_;
};

}  // namespace weft
