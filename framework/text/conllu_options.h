// How files of CoNLL-U are read.
#pragma once

#include <map>
#include <string>

namespace weft {

struct ConlluOptions {
  // Sentences to a document; 0 = a document goes on to the next line "# newdoc".
  int sents_per_doc = 1;
  // A multi-word token is one token: its words' tags, lemmas and features are put together.
  bool merge_subtokens = false;
  // Tags become "TAG__Feature=Value|…", where a word has features.
  bool append_morphology = false;
  // From labels of entities in the file to those of the documents; "" = no entity.
  std::map<std::string, std::string> ner_map = {};
  // The meaning of `_`: to spaCy's converter a lemma, a tag or a relation of that name, and a word
  // that is the root of a sentence of its own; else nothing is known.
  bool as_spacy = false;
};

}  // namespace weft
