// The values of a document's tokens as patterns compare them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// A set of attributes that are no word flags.
class AttrSet {
 public:
  void add(Attr attr) { bits_ |= std::uint32_t{1} << place(attr); }
  bool contains(Attr attr) const { return (bits_ >> place(attr) & 1) != 0; }
  // 0 to kSize - 1.
  static constexpr std::size_t place(Attr attr) {
    const auto number = static_cast<std::uint32_t>(attr);
    return number >= 452 ? number - 435 : number - 65;
  }
  static constexpr std::size_t kSize = 20;

 private:
  std::uint32_t bits_ = 0;
};

// Views into the document, which outlives it and does not change meanwhile.
class WEFT_API TokenValues {
 public:
  // Only these attributes can be asked for, and the flags of words.
  TokenValues(const Doc& doc, const AttrSet& attrs);

  const Doc& doc() const { return doc_; }
  LexemeFlags flags(int i) const { return doc_.tokens()->flags(static_cast<std::size_t>(i)); }
  // ENT_IOB is 0 to 3, SENT_START is 1 or 0, a flag 1 or 0; 0 where nothing is set.
  StringId value(Attr attr, int i) const {
    if (static_cast<std::uint32_t>(attr) <= static_cast<std::uint32_t>(Attr::is_currency)) {
      return doc_.has_flag(i, attr) ? 1 : 0;
    }
    const StringId* const column = columns_[AttrSet::place(attr)];
    return column == nullptr ? 0 : column[i];
  }
  // The text behind the value, "" where there is none; a view into the document or `buffer`.
  std::string_view text(Attr attr, int i, std::string& buffer) const;

 private:
  const Doc& doc_;
  std::array<const StringId*, AttrSet::kSize> columns_ = {};
  std::vector<std::vector<StringId>> computed_;
};

}  // namespace weft
