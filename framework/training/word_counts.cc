#include "framework/training/word_counts.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/text/printable.h"
#include "framework/text/symbols.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

using Counted = std::pair<std::string_view, std::int64_t>;

// The most frequent ones, of equally many by their letters.
std::string most_frequent(std::vector<Counted> words) {
  constexpr std::size_t kShown = 10;
  const std::size_t shown = std::min(kShown, words.size());
  std::partial_sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(shown), words.end(),
                    [](const Counted& a, const Counted& b) {
                      return a.second != b.second ? a.second > b.second : a.first < b.first;
                    });
  std::string text;
  for (const auto& [word, count] : std::span(words).first(shown)) {
    text += fmt::format("{}\"{}\" ({})", text.empty() ? "" : ", ", printable_brief(word), count);
  }
  return text;
}

}  // namespace

void WordCounts::add(const Doc& doc) {
  for (int i = 0; i < doc.size(); ++i) ++words_[std::string(doc.word(i))];
  all_ += doc.size();
}

void WordCounts::check_vectors(const Vectors& vectors, const DataSink& tell) const {
  const bool is_lower = vectors.attr() == Attr::lower;
  if (vectors.rows() == 0 || vectors.mode() != Vectors::Mode::by_key ||
      !(is_lower || vectors.attr() == Attr::orth)) {
    return;
  }
  std::vector<Counted> without;
  std::int64_t times = 0;
  for (const auto& [word, count] : words_) {
    if (vectors.row_of(string_id(is_lower ? lower(word) : word)) >= 0) continue;
    without.emplace_back(word, count);
    times += count;
  }
  if (times == 0) return;
  const double share = 100.0 * static_cast<double>(times) / static_cast<double>(all_);
  tell({.fault = DataFault::no_vector,
        .corpus = {},
        .message = fmt::format("{} of {} words have no vector, {:.0f} %; most often {}", times,
                               all_, share, most_frequent(std::move(without))),
        .repair = "take vectors of such texts, if they are many"});
}

}  // namespace weft
