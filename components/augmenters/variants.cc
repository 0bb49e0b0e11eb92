#include "components/augmenters/variants.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/language.h"
#include "framework/training/changed_words.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorKind::config, "orth_variants: " + what);
}

std::vector<std::string> texts_of(const Object& entry, const char* key) {
  const Node* list = entry.find(key);
  if (list == nullptr || !list->is_list()) fail(fmt::format("an entry has no list '{}'", key));
  std::vector<std::string> texts;
  for (const Node& text : list->as_list()) {
    if (!text.is_string()) fail(fmt::format("{} holds {}, not a text", key, text.type_name()));
    texts.push_back(text.as_string());
  }
  return texts;
}

// A token has a text.
std::vector<std::string> spellings_of(const Object& entry) {
  std::vector<std::string> spellings = texts_of(entry, "variants");
  if (std::find(spellings.begin(), spellings.end(), "") != spellings.end()) {
    fail("variants holds an empty text");
  }
  return spellings;
}

std::vector<std::vector<std::string>> pairs_of(const Object& entry) {
  const Node* list = entry.find("variants");
  if (list == nullptr || !list->is_list()) fail("a paired entry has no list 'variants'");
  std::vector<std::vector<std::string>> pairs;
  for (const Node& pair : list->as_list()) {
    Object one;
    one.set("variants", pair);
    pairs.push_back(spellings_of(one));
    if (pairs.back().size() != 2) fail("a pair of variants has other than two texts");
  }
  return pairs;
}

const List& entries_of(const Object& object, const char* key) {
  static const List& none = *new List{};
  const Node* list = object.find(key);
  if (list == nullptr) return none;
  if (!list->is_list()) fail(fmt::format("'{}' is no list", key));
  return list->as_list();
}

const Object& as_entry(const Node& node) {
  if (!node.is_object()) fail("an entry is no object");
  return node.as_object();
}

std::vector<std::string> words_of(const Doc& doc, bool lower) {
  std::vector<std::string> words;
  words.reserve(static_cast<std::size_t>(doc.size()));
  for (int i = 0; i < doc.size(); ++i) {
    words.push_back(lower ? weft::lower(doc.word(i)) : std::string(doc.word(i)));
  }
  return words;
}

std::string tag_of(const Doc& doc, int token) {
  const StringId tag = doc.value(Attr::tag, token);
  return tag == 0 ? std::string() : std::string(doc.string(tag));
}

void place_single(OrthVariants& variants) {
  for (std::size_t e = 0; e < variants.single.size(); ++e) {
    for (const std::string& tag : variants.single[e].tags) {
      for (const std::string& word : variants.single[e].variants) {
        variants.single_places.add(tag, word, {e, 0});
      }
    }
  }
}

// Which side of a pair a word is: by the tag where the entry has one for each side, else by its
// place in the last pair that holds it, in that pair the first.
void place_paired(OrthVariants& variants) {
  for (std::size_t e = 0; e < variants.paired.size(); ++e) {
    const PairedVariants& entry = variants.paired[e];
    for (const std::string& tag : entry.tags) {
      const bool by_tag = entry.tags.size() == 2;
      const std::size_t side_of_tag = tag == entry.tags[0] ? 0 : 1;
      for (const auto& pair : entry.variants) {
        for (const std::size_t side : {1U, 0U}) {
          variants.paired_places.add(tag, pair[side], {e, by_tag ? side_of_tag : side});
        }
      }
    }
  }
}

// Replaces each word by the spelling of the first entry that is for it, that one by the spelling of
// the next entry that is for it, and so on. `spelling(place)`: the one that was drawn. Tokens of
// the same tag and word become the same.
template <class Spelling>
void replace(const Doc& doc, const SpellingPlaces& places, const Spelling& spelling,
             std::vector<std::string>& words) {
  std::map<std::pair<std::string, std::string>, std::string> known;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string tag = tag_of(doc, static_cast<int>(i));
    const SpellingPlace* place = places.next(tag, words[i], 0);
    if (place == nullptr) continue;
    const auto [found, is_new] = known.try_emplace({tag, words[i]}, words[i]);
    std::string& word = found->second;
    for (; is_new && place != nullptr; place = places.next(tag, word, place->entry + 1)) {
      word = spelling(*place);
    }
    words[i] = word;
  }
}

// A number of a variant for each entry.
template <class Entry>
std::vector<std::size_t> drawn(const std::vector<Entry>& entries, Draws& draws) {
  std::vector<std::size_t> chosen;
  chosen.reserve(entries.size());
  for (const Entry& entry : entries) chosen.push_back(draws.below(entry.variants.size()));
  return chosen;
}

// Some tokens have a label of a dependency, and some have none.
bool is_partly_parsed(const Doc& doc) {
  const auto deps = doc.column(Attr::dep);
  const auto without = std::count(deps.begin(), deps.end(), StringId{0});
  return without > 0 && without < static_cast<std::ptrdiff_t>(deps.size());
}

}  // namespace

OrthVariants orth_variants_of(const Object& object) {
  OrthVariants variants;
  for (const Node& node : entries_of(object, "single")) {
    const Object& entry = as_entry(node);
    variants.single.push_back({texts_of(entry, "tags"), spellings_of(entry)});
    if (variants.single.back().variants.empty()) fail("an entry without variants");
  }
  for (const Node& node : entries_of(object, "paired")) {
    const Object& entry = as_entry(node);
    variants.paired.push_back({texts_of(entry, "tags"), pairs_of(entry)});
    if (variants.paired.back().variants.empty()) fail("an entry without variants");
  }
  place_single(variants);
  place_paired(variants);
  return variants;
}

ExamplePtr lowered(const Language& nlp, const Example& example) {
  const Doc& reference = example.reference();
  return example_of(nlp, with_words(reference, words_of(reference, true)),
                    lower(example.predicted().text()));
}

ExamplePtr with_other_spellings(const Language& nlp, const Example& example,
                                const OrthVariants& variants, bool lower, Draws& draws) {
  const Doc& reference = example.reference();
  std::vector<std::string> words = words_of(reference, lower);
  const std::vector<std::size_t> single = drawn(variants.single, draws);
  const auto of_single = [&](SpellingPlace place) -> const std::string& {
    return variants.single[place.entry].variants[single[place.entry]];
  };
  replace(reference, variants.single_places, of_single, words);
  const std::vector<std::size_t> paired = drawn(variants.paired, draws);
  const auto of_pair = [&](SpellingPlace place) -> const std::string& {
    return variants.paired[place.entry].variants[paired[place.entry]][place.side];
  };
  replace(reference, variants.paired_places, of_pair, words);
  return example_of(nlp, with_words(reference, words));
}

bool takes_white_space(const Doc& doc) {
  return !doc.empty() && doc.span_groups().empty() && !is_partly_parsed(doc) &&
         doc.column(Attr::ent_kb_id).empty();
}

}  // namespace weft
