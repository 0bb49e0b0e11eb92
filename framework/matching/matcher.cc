#include "framework/matching/matcher.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "framework/matching/pattern_attribute.h"
#include "framework/matching/pattern_schema.h"
#include "framework/text/has_annotation.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/base/seeded_hash.h"

namespace weft {
namespace {

// Annotation that somebody has to have made before it can be compared.
constexpr std::pair<Attr, const char*> kAnnotated[] = {{Attr::tag, "TAG"},
                                                       {Attr::pos, "POS"},
                                                       {Attr::morph, "MORPH"},
                                                       {Attr::lemma, "LEMMA"},
                                                       {Attr::dep, "DEP"}};
// All patterns together: some 200 MB.
constexpr std::size_t kMostItems = 16'000'000;
// Enough to see what is wrong.
constexpr std::size_t kMostWarnings = 20;

std::string place_of(const std::string& key, std::size_t pattern) {
  return fmt::format("pattern {} of \"{}\"", pattern + 1, printable_brief(key));
}

// All faults at once.
void check_patterns(const std::string& key, const List& patterns) {
  std::vector<std::string> faults;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (!patterns[i].is_list()) continue;
    for (const std::string& fault : faults_of_pattern(patterns[i].as_list())) {
      faults.push_back(fmt::format("{}, {}", place_of(key, i), fault));
    }
  }
  if (!faults.empty()) throw Error(ErrorKind::data, fmt::format("{}", fmt::join(faults, "; ")));
}

}  // namespace

struct Matcher::Impl {
  bool validate = true;
  std::vector<std::string> keys;
  std::unordered_map<std::string, std::uint32_t, SeededHash> numbers;  // of keys
  std::vector<Greedy> greedy;                                          // by key
  std::vector<TokenPattern> patterns;
  std::size_t items = 0;
  std::vector<std::string> warnings;
  TestTable table;
  PatternIndex index;
  AttrSet attrs;     // that anything asks for
  AttrSet compared;  // with a plain value
  mutable ObjectPool<KnownAnswers> answers;

  void insert(TokenPattern pattern);
  void note_attrs(const TokenTest& test);
  void check_annotation(const Doc& doc) const;
  [[noreturn]] void refuse_work(std::uint32_t key, int tokens) const;
};

// The tests that a first token may pass; the pattern starts everywhere if it can begin with a token
// that does not fit, or with any.
void Matcher::Impl::insert(TokenPattern pattern) {
  std::vector<std::uint32_t> first;
  bool always = false;
  for (const PatternItem& item : pattern.items) {
    always = always || item.negated || table.tests()[item.test].is_empty();
    if (first.empty() || first.back() != item.test) first.push_back(item.test);
    if (item.count == PatternItem::Count::one) break;
  }
  for (const PatternItem& item : pattern.items) note_attrs(table.tests()[item.test]);
  index.add(static_cast<std::uint32_t>(patterns.size()), first, always, table);
  items += pattern.items.size();
  patterns.push_back(std::move(pattern));
}

// The attributes that are fetched once for a document. Flags of words are computed from the text
// and need no annotation.
void Matcher::Impl::note_attrs(const TokenTest& test) {
  for (const TokenTest::Equal& equal : test.equals) {
    attrs.add(equal.attr);
    compared.add(equal.attr);
  }
  for (const std::uint32_t predicate : test.predicates) {
    const Attr attr = table.predicates()[predicate].attr();
    if (!is_word_flag(attr)) attrs.add(attr);
  }
}

void Matcher::Impl::check_annotation(const Doc& doc) const {
  for (const auto& [attr, name] : kAnnotated) {
    if (!compared.contains(attr) || has_annotation(doc, attr)) continue;
    throw Error(ErrorKind::data,
                fmt::format("a pattern compares {}, which no token of the document has: put the "
                            "component that sets it before, or allow missing annotation",
                            name));
  }
}

void Matcher::Impl::refuse_work(std::uint32_t key, int tokens) const {
  throw Error(
      ErrorKind::data,
      fmt::format("the patterns of \"{}\" give up on a document of {} tokens: matching may "
                  "take {} million steps, and for each token {} and {} for each pattern, and find "
                  "{} matches; use fewer `+`, `*` and `?`, or cut the text (docs/limits.md)",
                  printable_brief(keys[key]), tokens, MatchRun::kSteps / 1'000'000,
                  MatchRun::kStepsPerToken, MatchRun::kStepsPerPattern, kMostMatches));
}

Matcher::Matcher(bool validate) : impl_(std::make_unique<Impl>()) {
  impl_->validate = validate;
}

Matcher::Matcher(Matcher&&) noexcept = default;
Matcher& Matcher::operator=(Matcher&&) noexcept = default;
Matcher::~Matcher() = default;

// Everything is compiled before anything is inserted, so that a fault in one pattern adds none.
// Answers that are kept between documents go by the numbers of tests and are forgotten.
void Matcher::add(const std::string& key, const Node& patterns, Greedy greedy) {
  if (!patterns.is_list()) {
    throw Error(ErrorKind::data, fmt::format("the patterns of \"{}\" are no list, but {}",
                                             printable_brief(key), patterns.type_name()));
  }
  const List& list = patterns.as_list();
  if (impl_->validate) check_patterns(key, list);
  std::vector<TokenPattern> compiled;
  std::size_t items = impl_->items;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string place = place_of(key, i);
    if (!list[i].is_list()) {
      throw Error(ErrorKind::data, fmt::format("{}: a pattern is a list of tokens, and not {}",
                                               place, list[i].type_name()));
    }
    compiled.push_back(compile_pattern(list[i].as_list(), place, impl_->table, impl_->warnings));
    if (impl_->warnings.size() > kMostWarnings) impl_->warnings.resize(kMostWarnings);
    items += compiled.back().items.size();
    if (items > kMostItems) {
      throw Error(ErrorKind::data, fmt::format("{}: all patterns together have more than {} "
                                               "tokens (docs/limits.md)",
                                               place, kMostItems));
    }
  }
  const auto [place, added] =
      impl_->numbers.try_emplace(key, static_cast<std::uint32_t>(impl_->keys.size()));
  if (added) {
    impl_->keys.push_back(key);
    impl_->greedy.push_back(greedy);
  }
  impl_->greedy[place->second] = greedy;
  for (TokenPattern& pattern : compiled) {
    if (pattern.items.empty()) continue;  // is never found
    pattern.key = place->second;
    impl_->insert(std::move(pattern));
  }
  impl_->answers.clear();
}

// The answers about a word hold for later documents too: a thread borrows a store of them for the
// length of the search.
std::vector<TokenMatch> Matcher::find(const Doc& doc, const FindOptions& options) const {
  if (!options.allow_missing) impl_->check_annotation(doc);
  const TokenValues values(doc, impl_->attrs);
  const ObjectPool<KnownAnswers>::Lease answers(impl_->answers);
  TestRunner runner(impl_->table, values, *answers);
  MatchRun run(impl_->patterns, impl_->index, runner, options.with_alignments);
  const auto [begin, end] = options.tokens.value_or(std::pair(0, doc.size()));
  std::vector<TokenMatch> matches = run.find(begin, end);
  if (run.gave_up_on()) impl_->refuse_work(*run.gave_up_on(), end - begin);
  return keep_greedy(std::move(matches), impl_->greedy);
}

const std::vector<std::string>& Matcher::keys() const {
  return impl_->keys;
}
std::size_t Matcher::size() const {
  return impl_->patterns.size();
}
const std::vector<std::string>& Matcher::warnings() const {
  return impl_->warnings;
}

}  // namespace weft
