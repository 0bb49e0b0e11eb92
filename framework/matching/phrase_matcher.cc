#include "framework/matching/phrase_matcher.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "framework/matching/match_run.h"
#include "framework/matching/pattern_attribute.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// Long phrases over a text of their beginnings, and phrases that all match, take time by both
// lengths; this is what stops them. A step is a token that a phrase goes on with.
constexpr std::int64_t kSteps = 25'000'000;     // for any document ...
constexpr std::int64_t kStepsPerToken = 1'000;  // ... and for each of its tokens
constexpr std::int64_t kStepsPerMatch = 4;      // for the memory that it takes

constexpr std::array kAnnotated = {Attr::tag, Attr::pos, Attr::morph, Attr::lemma, Attr::dep};

Attr checked_attribute(std::string_view name) {
  const auto attribute = pattern_attribute(name);
  if (attribute && attribute->kind != AttributeKind::other) return attribute->attr;
  throw Error(ErrorKind::data, fmt::format("phrases cannot be compared by '{}'{}",
                                           printable_brief(name), suggest_attribute(name)));
}

// In a document of their own, tokens whose heads are left behind have the label "dep".
void cut_labels(const Doc& phrase, int begin, int end, std::vector<StringId>& labels) {
  if (phrase.heads().empty()) return;
  for (int i = begin; i < end; ++i) {
    const int head = i + phrase.heads()[static_cast<std::size_t>(i)];
    if (head < begin || head >= end) labels[static_cast<std::size_t>(i - begin)] = string_id("dep");
  }
}

constexpr std::array kHeld = {Attr::orth, Attr::norm, Attr::shape};

// The values of all tokens, without a copy where the document holds them.
class PhraseValues {
 public:
  PhraseValues(const Doc& doc, Attr attr) {
    if (std::find(kHeld.begin(), kHeld.end(), attr) != kHeld.end()) {
      values_ = doc.attr_ids(attr);
    } else {
      own_ = doc.attr_values(attr);
      values_ = own_;
    }
  }
  std::span<const StringId> all() const { return values_; }

 private:
  std::vector<StringId> own_;
  std::span<const StringId> values_;
};

[[noreturn]] void refuse_work(int tokens) {
  throw Error(ErrorKind::data,
              fmt::format("phrases give up on a document of {} tokens: comparing may take {} "
                          "million steps, and {} for each token, and find {} matches; use shorter "
                          "phrases, or cut the text (docs/limits.md)",
                          tokens, kSteps / 1'000'000, kStepsPerToken, kMostMatches));
}

}  // namespace

PhraseMatcher::PhraseMatcher(std::string_view attribute) : attr_(checked_attribute(attribute)) {}

void PhraseMatcher::check_annotation(const Doc& phrase) const {
  if (std::find(kAnnotated.begin(), kAnnotated.end(), attr_) == kAnnotated.end()) return;
  const auto column = phrase.column(attr_);
  if (std::any_of(column.begin(), column.end(), [](StringId id) { return id != 0; })) return;
  throw Error(ErrorKind::data,
              fmt::format("the phrase \"{}\" has no annotation of the attribute that phrases are "
                          "compared by: put the component that sets it before",
                          printable_brief(phrase.text())));
}

void PhraseMatcher::add(const std::string& key, const Doc& phrase, std::pair<int, int> tokens) {
  const auto [place, added] = numbers_.try_emplace(key, static_cast<std::uint32_t>(keys_.size()));
  if (added) keys_.push_back(key);
  const auto [begin, end] = tokens;
  if (begin >= end) return;
  check_annotation(phrase);
  const auto all = PhraseValues(phrase, attr_);
  const auto piece =
      all.all().subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  std::vector<StringId> values(piece.begin(), piece.end());
  if (attr_ == Attr::dep) cut_labels(phrase, begin, end, values);
  trie_.add(values, place->second);
}

std::vector<PhraseMatch> PhraseMatcher::find(const Doc& doc,
                                             std::optional<std::pair<int, int>> tokens) const {
  const auto [begin, end] = tokens.value_or(std::pair(0, doc.size()));
  const PhraseValues values(doc, attr_);
  std::vector<PhraseMatch> matches;
  std::int64_t steps_left = kSteps + kStepsPerToken * (end - begin);
  for (int start = begin; start < end; ++start) {
    PhraseTrie::Node node = PhraseTrie::kRoot;
    for (int i = start; i < end; ++i) {
      node = trie_.next(node, values.all()[static_cast<std::size_t>(i)]);
      if (node == PhraseTrie::kNone) break;
      const std::span<const std::uint32_t> keys = trie_.keys(node);
      steps_left -= 1 + kStepsPerMatch * std::ssize(keys);
      if (steps_left < 0 || keys.size() > kMostMatches - matches.size()) refuse_work(end - begin);
      for (const std::uint32_t key : keys) matches.push_back({key, start, i + 1});
    }
  }
  return matches;
}

}  // namespace weft
