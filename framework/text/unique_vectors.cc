// Brings the words and rows of a file together: one row for equal ones.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <string_view>
#include <unordered_map>

#include "framework/text/string_store.h"
#include "framework/text/vector_text.h"
#include "registry/base/seeded_hash.h"

namespace weft {
namespace {

// The rows of a table, compared number by number.
class Rows {
 public:
  explicit Rows(const Tensor& table)
      : data_(table.size() == 0 ? nullptr : table.data<float>()), width_(table.dim(1)) {}

  std::span<const float> at(std::int32_t row) const {
    return {data_ + row * width_, static_cast<std::size_t>(width_)};
  }
  bool less(std::int32_t a, std::int32_t b) const {
    const auto x = at(a), y = at(b);
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  }
  // 0 and -0 are equal.
  bool equal(std::int32_t a, std::int32_t b) const { return std::ranges::equal(at(a), at(b)); }

 private:
  const float* data_;
  std::int64_t width_;
};

Tensor copied(const Tensor& table, std::span<const std::int32_t> rows) {
  Tensor result = Tensor::zeros({static_cast<std::int64_t>(rows.size()), table.dim(1)});
  const Rows from(table);
  float* to = result.size() == 0 ? nullptr : result.data<float>();
  for (const std::int32_t row : rows) to = std::ranges::copy(from.at(row), to).out;
  return result;
}

// Of a key that is there twice the first place and the last row.
std::vector<Vectors::KeyRow> last_rows(const std::vector<Vectors::KeyRow>& keys) {
  std::unordered_map<StringId, std::size_t, SeededHash> places;
  std::vector<Vectors::KeyRow> result;
  for (const auto& [key, row] : keys) {
    const auto [place, is_new] = places.try_emplace(key, result.size());
    if (is_new)
      result.emplace_back(key, row);
    else
      result[place->second].second = row;
  }
  return result;
}

}  // namespace

// Sorting brings equal rows together. The sort is stable, so that of equal rows the first of the
// table stands for all. Rows that no key refers to are dropped. Where as many differ as the file
// announced, the table stays as it is.
Vectors unique_vectors(const Tensor& table, std::vector<Vectors::KeyRow> keys,
                       std::int64_t announced, Attr attr) {
  keys = last_rows(keys);
  std::vector<std::int32_t> used;  // sorted by their numbers, then by their places
  for (const auto& entry : keys) used.push_back(entry.second);
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  const Rows rows(table);
  std::ranges::stable_sort(used, [&](auto a, auto b) { return rows.less(a, b); });
  std::vector<std::int32_t> kept;
  std::vector<std::int32_t> new_row(static_cast<std::size_t>(table.dim(0)), -1);
  for (const std::int32_t row : used) {
    if (kept.empty() || !rows.equal(kept.back(), row)) kept.push_back(row);
    new_row[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(kept.size()) - 1;
  }
  if (static_cast<std::int64_t>(kept.size()) == announced) return {table, std::move(keys), attr};
  for (auto& entry : keys) entry.second = new_row[static_cast<std::size_t>(entry.second)];
  return {copied(table, kept), std::move(keys), attr};
}

Vectors vectors_by_word(const VectorText& text, Attr attr) {
  std::vector<Vectors::KeyRow> keys;
  for (const std::string& word : text.words) {
    keys.emplace_back(string_id(word), static_cast<std::int32_t>(keys.size()));
  }
  return unique_vectors(text.table, std::move(keys), text.announced, attr);
}

}  // namespace weft
