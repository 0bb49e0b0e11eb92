#include "framework/training/pretraining/random_words.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "framework/io/text_lines.h"
#include "framework/ops/random.h"
#include "framework/text/example.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "registry/value/number.h"

namespace weft {
namespace {

// A line such as {"orth": "the", "prob": -3.5}; a weight of 0 where it says nothing of that kind.
std::pair<std::string, double> weighted_word(const std::string& line) {
  const auto entry = parse_json(line);
  if (!entry || !entry->is_object()) throw Error(ErrorKind::data, "the line is no JSON object");
  const Node* orth = entry->as_object().find("orth");
  const Node* prob = entry->as_object().find("prob");
  if (orth == nullptr || !orth->is_string() || orth->as_string().empty() || prob == nullptr) {
    return {};
  }
  const std::optional<double> number = number_in(*prob);
  if (!number) throw Error(ErrorKind::data, "\"prob\" is no number");
  const double value = *number;
  constexpr double largest = 100.0;  // beyond it the sum of the weights may be no number
  if (!(value <= largest)) {
    throw Error(ErrorKind::data,
                fmt::format("a \"prob\" is the logarithm of a share; {} is none", value));
  }
  return {orth->as_string(), value == 0.0 ? 0.0 : std::exp(value)};
}

}  // namespace

void RandomWords::add(std::string word, double weight) {
  words_.push_back(std::move(word));
  sums_.push_back((sums_.empty() ? 0.0 : sums_.back()) + weight);
}

// Vitter (1985), algorithm R: every token is in the sample with the same chance.
RandomWords RandomWords::of_text(ExampleStream& text, std::uint64_t seed) {
  const RandomStream random(seed, 0, site_hash("pretraining/words"));
  std::vector<std::string> sample;
  std::int64_t seen = 0;
  while (seen < kMostRead) {
    const ExamplePtr example = text.next();
    if (!example) break;
    const Doc& doc = example->reference();
    for (int i = 0; i < doc.size(); ++i) {
      const auto number = static_cast<std::uint64_t>(seen++);
      if (sample.size() < kMost) {
        sample.emplace_back(doc.word(i));
      } else if (const std::uint64_t place = random.below(number, number + 1); place < kMost) {
        sample[place] = doc.word(i);
      }
    }
  }
  RandomWords words;
  for (std::string& word : sample) words.add(std::move(word), 1.0);
  if (words.size() == 0) throw Error(ErrorKind::data, "the raw text has no words");
  return words;
}

RandomWords RandomWords::of_vocab_data(const std::filesystem::path& file) {
  RandomWords words;
  TextLines lines({file.string()});
  while (words.size() < kMost) {
    const auto line = lines.next();
    if (!line) break;
    if (line->empty()) continue;
    auto [word, weight] = lines.at_line([&] { return weighted_word(*line); });
    if (weight > 0.0) words.add(std::move(word), weight);
  }
  if (words.size() > 0) return words;
  throw Error(
      ErrorKind::data,
      fmt::format("{}: no word has a \"prob\", by which random words are drawn", file.string()));
}

// The inverse of the cumulative distribution, by binary search. Rounding can carry the number up to
// the whole sum; the last word then stands.
const std::string& RandomWords::at(double number) const {
  const auto found = std::upper_bound(sums_.begin(), sums_.end(), number * sums_.back());
  const auto last = sums_.end() - 1;
  return words_[static_cast<std::size_t>(std::min(found, last) - sums_.begin())];
}

}  // namespace weft
