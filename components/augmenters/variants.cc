#include "components/augmenters/variants.h"

#include <algorithm>

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

std::vector<std::vector<std::string>> pairs_of(const Object& entry) {
  const Node* list = entry.find("variants");
  if (list == nullptr || !list->is_list()) fail("a paired entry has no list 'variants'");
  std::vector<std::vector<std::string>> pairs;
  for (const Node& pair : list->as_list()) {
    Object one;
    one.set("variants", pair);
    pairs.push_back(texts_of(one, "variants"));
    if (pairs.back().size() != 2) fail("a pair of variants has other than two texts");
  }
  return pairs;
}

const List& entries_of(const Object& object, const char* key) {
  static const List none;
  const Node* list = object.find(key);
  if (list == nullptr) return none;
  if (!list->is_list()) fail(fmt::format("'{}' is no list", key));
  return list->as_list();
}

const Object& as_entry(const Node& node) {
  if (!node.is_object()) fail("an entry is no object");
  return node.as_object();
}

bool contains(const std::vector<std::string>& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
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

void replace_single(const Doc& doc, const std::vector<SingleVariants>& entries, Draws& draws,
                    std::vector<std::string>& words) {
  std::vector<std::string> chosen;
  chosen.reserve(entries.size());
  for (const auto& entry : entries) {
    chosen.push_back(entry.variants[draws.below(entry.variants.size())]);
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string tag = tag_of(doc, static_cast<int>(i));
    for (std::size_t e = 0; e < entries.size(); ++e) {
      if (contains(entries[e].tags, tag) && contains(entries[e].variants, words[i])) {
        words[i] = chosen[e];
      }
    }
  }
}

// Which side of a pair a token is: by its tag where the entry has one for each side, else by its
// place in the last pair that holds it; -1 where no pair does.
int side_of(const PairedVariants& entry, const std::string& tag, const std::string& word) {
  int side = -1;
  for (const auto& pair : entry.variants) {
    const auto found = std::find(pair.begin(), pair.end(), word);
    if (found != pair.end()) side = static_cast<int>(found - pair.begin());
  }
  if (side >= 0 && entry.tags.size() == 2) return tag == entry.tags[0] ? 0 : 1;
  return side;
}

void replace_paired(const Doc& doc, const std::vector<PairedVariants>& entries, Draws& draws,
                    std::vector<std::string>& words) {
  std::vector<std::vector<std::string>> chosen;
  chosen.reserve(entries.size());
  for (const auto& entry : entries) {
    chosen.push_back(entry.variants[draws.below(entry.variants.size())]);
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string tag = tag_of(doc, static_cast<int>(i));
    for (std::size_t e = 0; e < entries.size(); ++e) {
      if (!contains(entries[e].tags, tag)) continue;
      const int side = side_of(entries[e], tag, words[i]);
      if (side >= 0) words[i] = chosen[e][static_cast<std::size_t>(side)];
    }
  }
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
    variants.single.push_back({texts_of(entry, "tags"), texts_of(entry, "variants")});
    if (variants.single.back().variants.empty()) fail("an entry without variants");
  }
  for (const Node& node : entries_of(object, "paired")) {
    const Object& entry = as_entry(node);
    variants.paired.push_back({texts_of(entry, "tags"), pairs_of(entry)});
    if (variants.paired.back().variants.empty()) fail("an entry without variants");
  }
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
  replace_single(reference, variants.single, draws, words);
  replace_paired(reference, variants.paired, draws, words);
  return example_of(nlp, with_words(reference, words));
}

ExamplePtr with_white_space(const Language& nlp, const ExamplePtr& example,
                            const std::string& white_space, int position) {
  const Doc& reference = example->reference();
  if (reference.empty() || !reference.span_groups().empty() || is_partly_parsed(reference) ||
      !reference.column(Attr::ent_kb_id).empty()) {
    return example;
  }
  return example_of(nlp, with_inserted(reference, white_space, position));
}

}  // namespace weft
