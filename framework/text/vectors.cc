#include "framework/text/vectors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include <fmt/format.h>

#include "framework/text/murmur3.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"
#include "registry/base/seeded_hash.h"

namespace weft {
namespace {

// All n-grams of a word are hashed, as often as it has characters, and its edges with them.
constexpr std::uint32_t kLongestNgram = 64;
constexpr std::size_t kLongestEdge = 64;

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorKind::data, "word vectors: " + what);
}

void check(const Tensor& table) {
  if (table.shape().rank() != 2 || table.dtype() != DType::f32) {
    fail("the table is no matrix of 32-bit floats");
  }
  if (table.dim(0) > std::numeric_limits<std::int32_t>::max()) fail("more than 2147483647 rows");
}

void check(const FloretSettings& settings, std::int64_t rows) {
  if (settings.hash_count < 1 || settings.hash_count > 4) {
    fail(fmt::format("hash_count is {}, it can be 1 to 4", settings.hash_count));
  }
  if (settings.max_ngram < settings.min_ngram) {
    fail(fmt::format("maxn {} is below minn {}", settings.max_ngram, settings.min_ngram));
  }
  if (settings.max_ngram > kLongestNgram) {
    fail(fmt::format("maxn is {}, it can be at most {}", settings.max_ngram, kLongestNgram));
  }
  if (settings.begin.size() > kLongestEdge || settings.end.size() > kLongestEdge) {
    fail(fmt::format("bow and eow can have at most {} bytes", kLongestEdge));
  }
  if (rows == 0) fail("a floret table without rows");
}

}  // namespace

Vectors::Vectors(Tensor table, std::vector<KeyRow> keys, Attr attr)
    : attr_(attr), table_(std::move(table)), keys_(std::move(keys)) {
  check(table_);
  for (const auto& [key, row] : keys_) {
    if (row < 0 || row >= rows()) {
      fail(fmt::format("key {} has row {} of a table with {} rows", key, row, rows()));
    }
  }
  index_keys();
}

Vectors::Vectors(Tensor table, FloretSettings settings, Attr attr)
    : mode_(Mode::floret), attr_(attr), table_(std::move(table)), floret_(std::move(settings)) {
  check(table_);
  check(floret_, rows());
}

// Open addressing with linear probing. At most half of the slots are taken, so that a search always
// meets a free one and ends.
void Vectors::index_keys() {
  if (keys_.empty()) return;
  slots_.assign(std::bit_ceil(keys_.size() * 2), -1);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    std::size_t slot = seeded_hash(keys_[i].first) & mask;
    while (slots_[slot] >= 0 && key_in(slot) != keys_[i].first) slot = (slot + 1) & mask;
    // Of a key that is there several times the first row counts, and the others take no place.
    if (slots_[slot] < 0) slots_[slot] = static_cast<std::int32_t>(i);
  }
}

std::int32_t Vectors::row_of(StringId key) const {
  if (slots_.empty()) return -1;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = seeded_hash(key) & mask; slots_[slot] >= 0; slot = (slot + 1) & mask) {
    const KeyRow& entry = keys_[static_cast<std::size_t>(slots_[slot])];
    if (entry.first == key) return entry.second;
  }
  return -1;
}

// One hash of 128 bits makes up to four rows, by its 32-bit quarters in this order, as floret does.
// Any other order would look up rows that were trained for other n-grams.
void Vectors::append_hashed(std::string_view ngram, std::vector<std::int32_t>& rows) const {
  const auto [low, high] = murmur3_128(ngram, floret_.hash_seed);
  const std::array<std::uint64_t, 4> hashes = {low & 0xffffffff, low >> 32, high & 0xffffffff,
                                               high >> 32};
  for (std::uint32_t i = 0; i < floret_.hash_count; ++i) {
    rows.push_back(
        static_cast<std::int32_t>(hashes[i] % static_cast<std::uint64_t>(table_.dim(0))));
  }
}

// `starts`: one more than the word has characters.
void Vectors::check_ngrams(std::size_t starts, std::size_t longest) const {
  constexpr std::uint64_t kMostRows = 1 << 24;
  std::uint64_t ngrams = 1;
  for (std::size_t length = floret_.min_ngram; length <= longest; ++length) {
    ngrams += starts - length;
  }
  if (ngrams * floret_.hash_count <= kMostRows) return;
  throw Error(ErrorKind::data,
              fmt::format("a word of {} characters has {} n-grams, too many for a mean of their "
                          "vectors: {} rows of the table can be added up",
                          starts - 1, ngrams, kMostRows));
}

// The word with its edge marks, then its n-grams by length and place. Lengths count characters, not
// bytes. A word of n characters has up to n rows for each length and hash.
void Vectors::append_rows(std::string_view word, std::vector<std::int32_t>& rows) const {
  const std::string padded = floret_.begin + std::string(word) + floret_.end;
  std::vector<std::size_t> starts;  // of characters, and the end
  for (std::size_t at = 0; at < padded.size(); next_code_point(padded, at)) starts.push_back(at);
  starts.push_back(padded.size());
  const std::size_t longest = std::min<std::size_t>(floret_.max_ngram, starts.size() - 1);
  check_ngrams(starts.size(), longest);
  append_hashed(padded, rows);
  for (std::size_t length = floret_.min_ngram; length <= longest; ++length) {
    for (std::size_t first = 0; first + length < starts.size(); ++first) {
      const std::size_t begin = starts[first];
      append_hashed(std::string_view(padded).substr(begin, starts[first + length] - begin), rows);
    }
  }
}

}  // namespace weft
