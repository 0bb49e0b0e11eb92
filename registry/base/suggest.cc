#include "registry/base/suggest.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace weft {
namespace {

// Names beyond this length are not compared: no setting is that long, and the cost is quadratic.
constexpr std::size_t kLongest = 128;

// The same setting in another section counts like so many mistakes in typing.
constexpr std::size_t kSameTail = 4;

// Edit distance in which swapping two neighbours costs one (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::string_view last_part(std::string_view name) {
  return name.substr(name.rfind('.') + 1);
}

std::vector<std::string_view> words(std::string_view name) {
  std::vector<std::string_view> found;
  for (std::size_t start = 0; start <= name.size();) {
    const auto end = std::min(name.find_first_of("._-", start), name.size());
    if (end > start) found.push_back(name.substr(start, end - start));
    start = end + 1;
  }
  return found;
}

// True if every word of one name occurs in the other: `batch_size` and `batcher.size` share `size`
// and one word starts like the other.
bool words_match(std::string_view a, std::string_view b) {
  const auto short_words = words(a);
  const auto long_words = words(b);
  return !short_words.empty() &&
         std::all_of(short_words.begin(), short_words.end(), [&](std::string_view word) {
           return word.size() >= 3 &&
                  std::any_of(long_words.begin(), long_words.end(), [&](std::string_view other) {
                    return other.starts_with(word) ||
                           (other.size() >= 3 && word.starts_with(other));
                  });
         });
}

// How far `known` is from `word`, or nothing if it is not worth offering. Typing mistakes and the
// same setting elsewhere come first, then names that share their words.
std::optional<std::size_t> distance(std::string_view word, std::string_view known) {
  if (word.size() > kLongest || known.size() > kLongest || word == known) return std::nullopt;
  const std::size_t typing = edit_distance(word, known);
  const std::size_t shorter = std::min(word.size(), known.size());
  if (typing <= std::max<std::size_t>(1, shorter / 3) && typing < shorter) return typing;
  const std::string_view tail = last_part(word);
  if (tail.size() >= 3 && tail == last_part(known)) return kSameTail;
  if (words_match(tail, known)) return 200 + typing;
  return std::nullopt;
}

}  // namespace

std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& known,
                                 std::size_t most) {
  std::vector<std::pair<std::size_t, std::size_t>> found;  // distance, place in `known`
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (const auto far = distance(word, known[i])) found.emplace_back(*far, i);
  }
  std::sort(found.begin(), found.end());
  if (found.size() > most) found.resize(most);
  std::vector<std::string> names;
  for (const auto& [far, index] : found) {
    if (std::find(names.begin(), names.end(), known[index]) == names.end()) {
      names.push_back(known[index]);
    }
  }
  return names;
}

std::string join_or(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kMostNames = 20'000;
  return known.size() > kMostNames ? std::string() : join_or(nearest(word, known));
}

}  // namespace weft
