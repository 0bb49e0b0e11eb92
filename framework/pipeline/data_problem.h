// The findings of `debug data` in a corpus.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "framework/text/doc.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

enum class DataFault {
  unreadable,          // a line or document that is no annotated document
  misaligned,          // an entity whose edges are no edges of tokens
  overlap,             // an entity that shares a token with another
  outside,             // an entity past the end of the text, or without characters
  white_space,         // at the edge of an entity
  punctuation,         // 〃
  crosses_sentence,    // an entity with a sentence start inside
  too_long,            // a document that the reader cuts or leaves out
  empty_document,      // no tokens
  not_annotated,       // no token says whether it is part of an entity
  control_characters,  // in the text: escapes, bidirectional marks, NUL
  duplicate,           // the same text and entities again
  conflict,            // the same text with other entities
  train_dev_overlap,   // a text of the development data that is trained on
  rare_label,          // few entities to learn it from
  one_sided_label,     // in the training or in the development data only
  similar_labels,      // two that differ in case, blanks or hyphens only
  inconsistent_label,  // of a word that has another nearly everywhere
  contradiction,       // annotation that cannot be true, by itself or beside other of the document
  cycle,               // heads that lead back to where they came from
  out_of_reach,        // a span that the component cannot find, whatever it learns
  crossing_arcs,       // dependencies that are learnt by labels of two parts
  bad_pattern,         // of tokens, that does not compile
  dead_pattern,        // of tokens, that can never match
};
WEFT_API std::string_view name_of(DataFault fault);
// Errors make annotation wrong or unusable; the others are warnings.
WEFT_API bool is_error(DataFault fault);

struct DataProblem {
  DataFault fault = DataFault::unreadable;
  std::string corpus;         // "corpora.train"
  std::string file = {};      // "" where it concerns the whole corpus
  int line = 0;               // from 1; 0: the format has none
  std::int64_t document = 0;  // in the file, from 1; 0: none
  std::int64_t start = -1;    // characters of the text, in code points; -1: no span
  std::int64_t end = -1;
  std::string label = {};
  std::string text = {};     // of the span, or how the document begins
  std::string message = {};  // the finding
  std::string repair = {};   // a suggestion
};

WEFT_API Object to_object(const DataProblem& problem);

// A document of a corpus.
struct PlacedDoc {
  Doc doc;
  std::string file;
  int line = 0;               // from 1; 0: the format has none
  std::int64_t document = 0;  // in the file, from 1
  bool own_tokens = false;    // tokens of the file, which the pipeline may cut otherwise
};

// Says where: of a whole document, or of a labelled span of it. Corpus, message and repair are left
// to the caller.
WEFT_API DataProblem problem_in(DataFault fault, const PlacedDoc& placed);
WEFT_API DataProblem problem_in(DataFault fault, const PlacedDoc& placed, const Span& span);

using DataSink = std::function<void(DataProblem)>;

}  // namespace weft
