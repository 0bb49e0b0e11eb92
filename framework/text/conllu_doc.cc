#include "framework/text/conllu_doc.h"

#include <algorithm>
#include <utility>

#include "framework/text/conllu_entities.h"
#include "framework/text/conllu_merge.h"
#include "framework/text/morph_features.h"
#include "framework/text/parse_tree.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// spaCy writes the relation of roots in capitals.
constexpr std::string_view kRoot = "root";
constexpr std::string_view kSpacyRoot = "ROOT";

bool has_word(std::string_view list, std::string_view word) {
  for (std::size_t at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

void set_column(Doc& doc, Attr attr, std::vector<StringId>& ids) {
  const bool any = std::any_of(ids.begin(), ids.end(), [](StringId id) { return id != 0; });
  if (any) doc.set_column(attr, std::move(ids));
  ids.clear();
}

// In their normal form.
std::vector<std::string> features_of(const ConlluSentence& sentence) {
  std::vector<std::string> all;
  for (const ConlluWord& word : sentence.words) {
    try {
      all.push_back(normalised_features(word.feats));
    } catch (const Error& error) {
      throw ConlluFault{word.line, error.message()};
    }
  }
  return all;
}

}  // namespace

// The columns that are not annotated in a sentence.
struct ConlluDocMaker::Unset {
  explicit Unset(const ConlluSentence& sentence) {
    for (const std::string& comment : sentence.comments) {
      if (!comment.starts_with(kUnsetComment)) continue;
      const std::string_view list = std::string_view(comment).substr(kUnsetComment.size());
      lemma = has_word(list, "lemma");
      upos = has_word(list, "upos");
      xpos = has_word(list, "xpos");
      feats = has_word(list, "feats");
      heads = has_word(list, "heads");
      spaces = has_word(list, "spaces");
      sents = has_word(list, "sents");
    }
  }
  bool lemma = false, upos = false, xpos = false, feats = false, heads = false, spaces = false,
       sents = false;
};

ConlluDocMaker::ConlluDocMaker(std::shared_ptr<const Vocab> vocab, ConlluOptions options,
                               bool with_entities)
    : vocab_(std::move(vocab)),
      options_(std::move(options)),
      with_entities_(with_entities),
      strings_(std::make_shared<StringTable>()) {}

// `_` is a name like others to spaCy's converter.
StringId ConlluDocMaker::known_id(std::string_view column, bool unset) const {
  if (unset || (column == kConlluUnset && !options_.as_spacy)) return 0;
  return vocab_->strings().add(column);
}

StringId ConlluDocMaker::tag_of(const ConlluWord& word) const {
  const bool features = !word.feats.empty() && word.feats != kConlluUnset;
  if (options_.append_morphology && features) {
    return vocab_->strings().add(word.xpos + "__" + word.feats);
  }
  return known_id(word.xpos, false);
}

void ConlluDocMaker::add_word(const ConlluWord& word, const Unset& unset) {
  words_.append(word.form, vocab_->lexeme(word.form), word.space || unset.spaces);
  const bool no_lemma = unset.lemma || (word.lemma == kConlluUnset && !options_.as_spacy);
  lemmas_.push_back(no_lemma ? 0 : strings_->add(word.lemma));
  const bool no_pos = unset.upos || word.upos == kConlluUnset;
  pos_.push_back(no_pos ? 0 : string_id(word.upos));
  tags_.push_back(unset.xpos ? 0 : tag_of(word));
  const std::string_view relation = word.deprel == kRoot ? kSpacyRoot : word.deprel;
  deps_.push_back(known_id(relation, unset.heads));
}

void ConlluDocMaker::add(ConlluSentence sentence) {
  const Unset unset(sentence);
  std::vector<std::string> tags;
  for (ConlluWord& word : sentence.words) {
    if (word.xpos == kConlluUnset) word.xpos = word.upos;
    if (with_entities_) tags.push_back(misc_tag(word.misc, options_.ner_map));
  }
  std::vector<TagSpan> entities = misc_entities(tags);
  std::vector<std::string> features = features_of(sentence);
  if (options_.merge_subtokens) {
    merge_subtokens(sentence, entities);
    features = features_of(sentence);
  }
  const int before = static_cast<int>(words_.size());
  if (before > 0) words_.set_last_space(true);
  const auto& words = sentence.words;
  const bool has_heads =
      !unset.heads && (options_.as_spacy || std::any_of(words.begin(), words.end(), [](auto& word) {
                         return word.head.has_value();
                       }));
  for (int i = 0; i < static_cast<int>(words.size()); ++i) {
    add_word(words[i], unset);
    morphs_.push_back(unset.feats ? 0 : vocab_->strings().add(features[i]));
    // spaCy takes a word without a relation for its own head.
    const bool attached = has_heads && words[i].head && deps_.back() != 0;
    heads_.push_back(attached ? *words[i].head - i : 0);
    starts_.push_back(has_heads ? 0 : (i == 0 ? 1 : -1));
  }
  for (const TagSpan& entity : entities) {
    ents_.push_back(
        {before + entity.start, before + entity.end, vocab_->strings().add(entity.label)});
  }
  any_heads_ = any_heads_ || has_heads;
  unknown_spaces_ = unknown_spaces_ || unset.spaces;
  unknown_sents_ = unknown_sents_ || unset.sents;
  ++sentences_;
}

// A parse says where sentences begin, and lines where there is none.
void ConlluDocMaker::set_sents(Doc& doc) const {
  std::vector<std::int8_t> starts(starts_.size(), 0);
  starts[0] = 1;
  const auto deps = doc.column(Attr::dep);
  if (any_heads_ && !deps.empty()) starts = sent_starts_of_heads(heads_, deps);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (starts_[i] != 0) starts[i] = starts_[i];
  }
  if (unknown_sents_) std::fill(starts.begin() + 1, starts.end(), 0);
  doc.set_sent_starts(std::move(starts));
}

Doc ConlluDocMaker::finish() {
  Doc doc(vocab_, words_.finish());
  doc.set_strings(std::exchange(strings_, std::make_shared<StringTable>()));
  doc.set_unknown_spaces(std::exchange(unknown_spaces_, false));
  set_column(doc, Attr::lemma, lemmas_);
  set_column(doc, Attr::pos, pos_);
  set_column(doc, Attr::tag, tags_);
  set_column(doc, Attr::morph, morphs_);
  set_column(doc, Attr::dep, deps_);
  if (any_heads_) doc.set_heads(heads_);
  set_sents(doc);
  if (with_entities_) doc.set_ents(ents_, EntsDefault::outside);
  heads_.clear();
  starts_.clear();
  ents_.clear();
  any_heads_ = unknown_sents_ = false;
  sentences_ = 0;
  return doc;
}

}  // namespace weft
