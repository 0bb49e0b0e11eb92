#include "framework/text/token_rows.h"

#include <algorithm>
#include <cstring>

namespace weft {
namespace {

bool belongs_to_word(std::uint32_t attr) {
  return attr == static_cast<std::uint32_t>(Attr::orth) ||
         attr == static_cast<std::uint32_t>(Attr::norm) ||
         attr == static_cast<std::uint32_t>(Attr::lemma);
}

std::size_t count_of_words(std::span<const std::uint32_t> attrs) {
  return static_cast<std::size_t>(std::count_if(attrs.begin(), attrs.end(), belongs_to_word));
}

StringId value_at(const char* place) {
  StringId value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

}  // namespace

bool TokenRows::can_hold(std::span<const std::uint32_t> attrs) {
  std::vector<std::uint32_t> sorted(attrs.begin(), attrs.end());
  std::sort(sorted.begin(), sorted.end());
  return !attrs.empty() && attrs.size() <= kWidest &&
         std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

TokenRows::TokenRows(std::span<const std::uint32_t> attrs)
    : word_rows_(count_of_words(attrs)), other_rows_(attrs.size() - count_of_words(attrs)) {
  for (std::size_t column = 0; column < attrs.size(); ++column) {
    const bool of_word = belongs_to_word(attrs[column]);
    std::vector<std::size_t>& offsets = of_word ? word_offsets_ : other_offsets_;
    places_.push_back({of_word, static_cast<std::uint32_t>(offsets.size())});
    offsets.push_back(column * sizeof(StringId));
  }
  last_other_.resize(other_offsets_.size());
  together_ = other_offsets_.empty() || other_offsets_.back() - other_offsets_.front() ==
                                            (other_offsets_.size() - 1) * sizeof(StringId);
}

void TokenRows::reserve(std::size_t tokens) {
  words_.reserve(tokens);
  others_.reserve(tokens);
}

// At most kAtOnce rows.
void TokenRows::add_words(std::string_view bytes) {
  const std::size_t width = word_offsets_.size();
  StringId rows[kAtOnce][kWordColumns];
  std::uint32_t hashes[kAtOnce];
  std::size_t count = 0;
  for (std::size_t at = 0; at < bytes.size(); at += places_.size() * sizeof(StringId), ++count) {
    for (std::size_t i = 0; i < width; ++i) {
      rows[count][i] = value_at(bytes.data() + at + word_offsets_[i]);
    }
    hashes[count] = word_rows_.hash_of(rows[count]);
    word_rows_.prefetch_place(hashes[count]);
  }
  for (std::size_t i = 0; i < count; ++i) word_rows_.prefetch_row(hashes[i]);
  for (std::size_t i = 0; i < count; ++i) {
    words_.push_back(word_rows_.number_of(rows[i], hashes[i]));
  }
}

bool TokenRows::is_last_other(const char* row) const {
  if (others_.empty()) return false;
  if (together_) {
    const std::size_t size = other_offsets_.size() * sizeof(StringId);
    return size == 0 || std::memcmp(row + other_offsets_.front(), last_other_.data(), size) == 0;
  }
  for (std::size_t i = 0; i < other_offsets_.size(); ++i) {
    if (value_at(row + other_offsets_[i]) != last_other_[i]) return false;
  }
  return true;
}

void TokenRows::add_others(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += places_.size() * sizeof(StringId)) {
    const char* row = bytes.data() + at;
    if (!is_last_other(row)) {  // tokens that stand together often have the same
      for (std::size_t i = 0; i < other_offsets_.size(); ++i) {
        last_other_[i] = value_at(row + other_offsets_[i]);
      }
      last_number_ = static_cast<std::uint16_t>(other_rows_.number_of(last_other_.data()));
    }
    others_.push_back(last_number_);
  }
}

bool TokenRows::add(std::string_view bytes) {
  const std::size_t step = kAtOnce * width() * sizeof(StringId);
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    add_words(bytes.substr(at, step));
    add_others(bytes.substr(at, step));
    if (other_rows_.rows() > kOtherRows) return false;
  }
  note_values(word_rows_, true, word_masks_);
  note_values(other_rows_, false, other_masks_);
  return size() <= kTokens && word_rows_.bytes() + other_rows_.bytes() <= kRowBytes;
}

void TokenRows::note_values(const RowTable& rows, bool of_word,
                            std::vector<std::uint64_t>& masks) const {
  while (masks.size() < rows.rows()) {
    const StringId* row = rows.row(static_cast<std::uint32_t>(masks.size()));
    std::uint64_t mask = 0;
    for (std::size_t column = 0; column < width(); ++column) {
      const bool has_value = places_[column].of_word == of_word && row[places_[column].at] != 0;
      mask |= std::uint64_t{has_value} << column;
    }
    masks.push_back(mask);
  }
}

void TokenRows::copy_column(std::size_t column, std::size_t begin, std::span<StringId> out) const {
  const auto [of_word, at] = places_[column];
  for (std::size_t i = 0; i < out.size(); ++i) {
    const StringId* row =
        of_word ? word_rows_.row(words_[begin + i]) : other_rows_.row(others_[begin + i]);
    out[i] = row[at];
  }
}

std::uint64_t TokenRows::columns_with_values(std::size_t begin, std::size_t count) const {
  std::uint64_t mask = 0;
  for (std::size_t i = begin; i < begin + count; ++i) {
    mask |= word_masks_[words_[i]] | other_masks_[others_[i]];
  }
  return mask;
}

}  // namespace weft
