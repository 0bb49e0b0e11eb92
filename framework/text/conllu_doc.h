// Sentences of CoNLL-U to documents.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "framework/text/biluo.h"
#include "framework/text/conllu_options.h"
#include "framework/text/conllu_sentence.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// Columns that a sentence of ours does not annotate, in a comment: weft.unset = lemma heads
inline constexpr std::string_view kUnsetComment = "weft.unset = ";

class WEFT_API ConlluDocMaker {
 public:
  // `with_entities`: words without a tag of an entity are outside of one.
  ConlluDocMaker(std::shared_ptr<const Vocab> vocab, ConlluOptions options, bool with_entities);

  // Puts a sentence behind those of the document in the making. Throws ConlluFault for features
  // that do not parse, and as merge_subtokens; the document is then as it was.
  void add(ConlluSentence sentence);
  int sentences() const { return sentences_; }
  bool empty() const { return words_.size() == 0; }
  // The document of all sentences since the last one.
  Doc finish();

 private:
  struct Unset;
  void add_word(const ConlluWord& word, const Unset& unset);
  StringId tag_of(const ConlluWord& word) const;
  StringId known_id(std::string_view column, bool unset) const;
  void set_sents(Doc& doc) const;

  std::shared_ptr<const Vocab> vocab_;
  ConlluOptions options_;
  bool with_entities_;

  TokenTableBuilder words_;
  std::shared_ptr<StringTable> strings_;
  std::vector<StringId> lemmas_, pos_, tags_, morphs_, deps_;
  std::vector<std::int32_t> heads_;
  std::vector<std::int8_t> starts_;  // where heads say nothing: 1 or -1, else 0
  std::vector<Span> ents_;
  int sentences_ = 0;
  bool any_heads_ = false;
  bool unknown_spaces_ = false;
  bool unknown_sents_ = false;
};

}  // namespace weft
