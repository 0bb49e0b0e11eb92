// One sentence of CoNLL-U: ten columns parted by tabs, a line for each word, lines 3-4 for a
// multi-word token before its words, lines 3.1 for words that are not in the text.
// Source: https://universaldependencies.org/format.html
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"

namespace weft {

inline constexpr std::size_t kConlluColumns = 10;
// Nothing is known, or there is nothing.
inline constexpr std::string_view kConlluUnset = "_";

struct ConlluLine {
  std::string text;  // without line break
  int number = 0;    // in the file, from 1
};

struct ConlluWord {
  std::string form;
  std::string lemma;
  std::string upos;
  std::string xpos;
  std::string feats;
  std::string deprel;
  std::string misc;
  std::optional<int> head;  // a word of the sentence from 0, its own number for a root
  bool space = true;        // follows
  int line = 0;
};

struct ConlluRange {
  int start = 0;  // words [start, end)
  int end = 0;
  std::string form;
  bool space = true;
  int line = 0;
};

struct ConlluSentence {
  std::vector<std::string> comments;  // without the '#' and the spaces behind it
  std::vector<ConlluWord> words;
  std::vector<ConlluRange> ranges;  // in order, none on another
};

// A fault in a line, for the reader to place in its file.
struct ConlluFault {
  int line = 0;
  std::string message;
};

// The columns of a line, or a fault where they are not ten.
WEFT_API std::array<std::string_view, kConlluColumns> conllu_columns(const ConlluLine& line);

// The sentence of lines of which none is blank. Words that are not in the text (3.1) are passed
// over. Throws ConlluFault for a line with another number of columns, text that is not UTF-8, an id
// that is none or out of order, a multi-word token without its words, a word without form, an
// unknown part of speech, a head outside of the sentence, a comment behind a word.
WEFT_API ConlluSentence parse_conllu(std::span<const ConlluLine> lines);

}  // namespace weft
