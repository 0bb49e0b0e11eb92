// Which tokens of two tokenizations of one text share characters. Source: docs/ner-model.md 7.2.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "framework/text/token_table.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API Alignment {
 public:
  // Letter case and white space may differ. Throws Error(data) where anything else does.
  Alignment(const TokenTable& predicted, const TokenTable& reference);

  // Both sides have the same words.
  bool is_identity() const { return identity_; }
  // The tokens of the other side, ascending; none for white space that only one side has.
  std::span<const int> to_reference(int predicted) const { return at(to_reference_, predicted); }
  std::span<const int> to_predicted(int reference) const { return at(to_predicted_, reference); }

 private:
  // Row i is data[offsets[i]] ... data[offsets[i + 1]].
  struct Rows {
    std::vector<int> offsets;
    std::vector<int> data;
  };
  static std::span<const int> at(const Rows& rows, int i) {
    const auto begin = static_cast<std::size_t>(rows.offsets[static_cast<std::size_t>(i)]);
    const auto end = static_cast<std::size_t>(rows.offsets[static_cast<std::size_t>(i) + 1]);
    return std::span(rows.data).subspan(begin, end - begin);
  }
  static Rows identity_rows(std::size_t size);
  static Rows rows_of(const std::vector<std::pair<int, int>>& links, std::size_t size,
                      bool swapped);

  bool identity_ = false;
  Rows to_reference_;
  Rows to_predicted_;
};

}  // namespace weft
