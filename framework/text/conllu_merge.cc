#include "framework/text/conllu_merge.h"

#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "framework/text/steps_to_roots.h"

namespace weft {
namespace {

// Calls `take` with each part between separators.
template <class Take>
void for_each_part(std::string_view text, char separator, Take take) {
  while (true) {
    const std::size_t end = text.find(separator);
    take(text.substr(0, end));
    if (end == text.npos) return;
    text.remove_prefix(end + 1);
  }
}

bool is_set(std::string_view column) {
  return !column.empty() && column != kConlluUnset;
}

// "Case=Dat", "Case=Acc|Number=Sing" give "Case=Acc,Dat|Number=Sing".
std::string joined_features(const ConlluSentence& sentence, const ConlluRange& range) {
  std::map<std::string, std::set<std::string>> values;
  for (int i = range.start; i < range.end; ++i) {
    const std::string& feats = sentence.words[i].feats;
    if (!is_set(feats)) continue;
    for_each_part(feats, '|', [&](std::string_view feature) {
      const std::size_t equals = feature.find('=');
      std::set<std::string>& of_field = values[std::string(feature.substr(0, equals))];
      for_each_part(feature.substr(equals + 1), ',',
                    [&](std::string_view value) { of_field.emplace(value); });
    });
  }
  std::set<std::string> features;
  for (const auto& [field, found] : values) {
    features.insert(fmt::format("{}={}", field, fmt::join(found, ",")));
  }
  return features.empty() ? std::string(kConlluUnset) : fmt::format("{}", fmt::join(features, "|"));
}

// Merges in two steps, because heads are numbers of words: first each range becomes one word in the
// place of its first, while all numbers still hold; then the rest is dropped and the numbers are
// mapped.
class Merger {
 public:
  Merger(ConlluSentence& sentence, const std::vector<TagSpan>& entities) : sentence_(sentence) {
    const std::size_t size = sentence.words.size();
    iobs_.assign(size, Iob::out);
    types_.resize(size);
    for (const TagSpan& entity : entities) {
      for (int i = entity.start; i < entity.end; ++i) {
        iobs_[i] = i == entity.start ? Iob::begin : Iob::in;
        types_[i] = entity.label;
      }
    }
    for (const ConlluWord& word : sentence.words) {
      heads_.push_back(word.head.value_or(static_cast<int>(heads_.size())));
    }
    steps_ = steps_to_roots(heads_);
  }

  void merge(const ConlluRange& range) {
    const int root = root_of(range);
    ConlluWord& merged = sentence_.words[range.start];
    ConlluWord made = sentence_.words[root];
    made.form = range.form;
    made.space = range.space;
    made.feats = joined_features(sentence_, range);
    made.line = range.line;
    made.xpos.clear();
    made.lemma.clear();
    for (int i = range.start; i < range.end; ++i) {
      const std::string separator = i > range.start ? "_" : "";
      made.xpos += separator + sentence_.words[i].xpos;
      made.lemma += (i > range.start ? " " : "") + sentence_.words[i].lemma;
    }
    take_entity(range, root);
    new_heads_.emplace_back(range.start, heads_[root]);
    merged = std::move(made);
  }

  // Drops the words that are part of another now.
  void compress() {
    for (const auto& [word, head] : new_heads_) heads_[word] = head;
    std::vector<int> places(sentence_.words.size());
    int kept = 0;
    std::size_t next = 0;
    for (int i = 0; i < static_cast<int>(places.size()); ++i) {
      while (next < sentence_.ranges.size() && i >= sentence_.ranges[next].end) ++next;
      const bool inside = next < sentence_.ranges.size() && i > sentence_.ranges[next].start;
      places[i] = inside ? kept - 1 : kept++;
    }
    for (int i = 0; i < static_cast<int>(places.size()); ++i) {
      const int place = places[i];
      if (i > 0 && places[i - 1] == place) continue;
      if (i != place) sentence_.words[place] = std::move(sentence_.words[i]);
      const bool has_head = sentence_.words[place].head.has_value();
      sentence_.words[place].head = has_head ? std::optional(places[heads_[i]]) : std::nullopt;
      iobs_[place] = iobs_[i];
      types_[place] = types_[i];
    }
    sentence_.words.resize(kept);
    sentence_.ranges.clear();
  }

  std::vector<TagSpan> entities() {
    std::vector<TagSpan> spans;
    for (int i = 0; i < static_cast<int>(sentence_.words.size()); ++i) {
      if (iobs_[i] == Iob::out) continue;
      const bool goes_on = iobs_[i] == Iob::in && !spans.empty() && spans.back().end == i &&
                           spans.back().label == types_[i];
      if (!goes_on) spans.push_back({i, i, types_[i]});
      spans.back().end = i + 1;
    }
    return spans;
  }

 private:
  // A root of the sentence, else the word with the fewest steps to one among those whose head lies
  // outside; the first of several, and of a circle.
  int root_of(const ConlluRange& range) const {
    for (int i = range.start; i < range.end; ++i) {
      if (heads_[i] == i) return i;
    }
    int root = range.start;
    int fewest = static_cast<int>(heads_.size());
    for (int i = range.start; i < range.end; ++i) {
      if (heads_[i] >= range.start && heads_[i] < range.end) continue;
      const int steps = steps_to_root(i, range);
      if (steps >= fewest) continue;
      fewest = steps;
      root = i;
    }
    return root;
  }

  int steps_to_root(int word, const ConlluRange& range) const {
    if (steps_[word] < static_cast<int>(heads_.size())) return steps_[word];
    throw ConlluFault{range.line, "the heads of this multi-word token's words run in a circle"};
  }

  void take_entity(const ConlluRange& range, int root) {
    const int start = range.start;
    const Iob first = iobs_[start];
    const std::string first_type = types_[start];
    iobs_[start] = iobs_[root];
    types_[start] = types_[root];
    if (iobs_[start] == Iob::out) return;
    const bool goes_on = first == Iob::in && start > 0 && first_type == types_[start] &&
                         types_[start - 1] == types_[start];
    iobs_[start] = goes_on ? Iob::in : Iob::begin;
  }

  ConlluSentence& sentence_;
  std::vector<int> heads_;
  std::vector<int> steps_;                      // from each word to the root above it
  std::vector<std::pair<int, int>> new_heads_;  // of merged words: the others are still looked at
  std::vector<Iob> iobs_;
  std::vector<std::string> types_;
};

}  // namespace

void merge_subtokens(ConlluSentence& sentence, std::vector<TagSpan>& entities) {
  if (sentence.ranges.empty()) return;
  Merger merger(sentence, entities);
  for (const ConlluRange& range : sentence.ranges) merger.merge(range);
  merger.compress();
  entities = merger.entities();
}

}  // namespace weft
