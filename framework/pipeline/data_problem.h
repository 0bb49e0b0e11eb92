// The findings of `debug data` in a corpus.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/text/doc.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// A kind of fault. These are known to the program; the annotation of a component, of a plugin too,
// may find others: each says its name and how grave it is.
struct DataFault {
  std::string_view name;  // for people and for --json: a constant of letters and "_"
  bool is_error = false;  // annotation that is wrong or unusable; the others are warnings

  static const DataFault unreadable;   // a line or document that is no annotated document
  static const DataFault misaligned;   // an entity whose edges are no edges of tokens
  static const DataFault overlap;      // an entity that shares a token with another
  static const DataFault outside;      // an entity past the end of the text, or without characters
  static const DataFault white_space;  // at the edge of an entity
  static const DataFault punctuation;  // 〃
  static const DataFault crosses_sentence;    // an entity with a sentence start inside
  static const DataFault too_long;            // a document that the reader cuts or leaves out
  static const DataFault empty_document;      // no tokens
  static const DataFault not_annotated;       // no token says whether it is part of an entity
  static const DataFault control_characters;  // in the text: escapes, bidirectional marks, NUL
  static const DataFault duplicate;           // the same text and entities again
  static const DataFault conflict;            // the same text with other entities
  static const DataFault train_dev_overlap;   // a text of the development data that is trained on
  static const DataFault rare_label;          // few entities to learn it from
  static const DataFault too_few_labels;      // for a component to choose between
  static const DataFault one_sided_label;     // in the training or in the development data only
  static const DataFault similar_labels;      // two that differ in case, blanks or hyphens only
  static const DataFault inconsistent_label;  // of a word that has another nearly everywhere
  static const DataFault
      contradiction;  // annotation that cannot be true, by itself or beside other of the document
  static const DataFault cycle;         // heads that lead back to where they came from
  static const DataFault out_of_reach;  // a span that the component cannot find, whatever it learns
  static const DataFault crossing_arcs;   // dependencies that are learnt by labels of two parts
  static const DataFault bad_pattern;     // of tokens, that does not compile
  static const DataFault dead_pattern;    // of tokens, that can never match
  static const DataFault void_condition;  // of a token pattern, that every token passes
  static const DataFault no_example;      // a corpus without a document that has a token
  static const DataFault no_set_up;       // a pipeline that cannot be initialized with the data
  static const DataFault partly_read;     // a corpus that may have no end
  // ---- of a corpus as a whole
  static const DataFault few_documents;        // for a pipeline that starts anew
  static const DataFault misaligned_tokens;    // of the pipeline, for several of the data or a part
  static const DataFault no_vector;            // words that the vectors do not know
  static const DataFault always_present;       // a label that no document lacks
  static const DataFault forgotten_labels;     // of a saved pipeline, that the data lacks
  static const DataFault few_sentences;        // of a document, to learn where they begin
  static const DataFault several_root_labels;  // of which a parser makes one
  static const DataFault one_lemma;            // of all tokens of a document

  bool operator==(const DataFault& other) const = default;
  // Errors come first, each group by name.
  bool operator<(const DataFault& other) const {
    return std::pair(!is_error, name) < std::pair(!other.is_error, other.name);
  }
};
inline constexpr DataFault DataFault::unreadable{"unreadable", true};
inline constexpr DataFault DataFault::misaligned{"misaligned", true};
inline constexpr DataFault DataFault::overlap{"overlap", true};
inline constexpr DataFault DataFault::outside{"outside", true};
inline constexpr DataFault DataFault::white_space{"white_space", true};
inline constexpr DataFault DataFault::punctuation{"punctuation"};
inline constexpr DataFault DataFault::crosses_sentence{"crosses_sentence"};
inline constexpr DataFault DataFault::too_long{"too_long"};
inline constexpr DataFault DataFault::empty_document{"empty_document"};
inline constexpr DataFault DataFault::not_annotated{"not_annotated"};
inline constexpr DataFault DataFault::control_characters{"control_characters"};
inline constexpr DataFault DataFault::duplicate{"duplicate"};
inline constexpr DataFault DataFault::conflict{"conflict"};
inline constexpr DataFault DataFault::train_dev_overlap{"train_dev_overlap"};
inline constexpr DataFault DataFault::rare_label{"rare_label"};
inline constexpr DataFault DataFault::too_few_labels{"too_few_labels", true};
inline constexpr DataFault DataFault::one_sided_label{"one_sided_label"};
inline constexpr DataFault DataFault::similar_labels{"similar_labels"};
inline constexpr DataFault DataFault::inconsistent_label{"inconsistent_label"};
inline constexpr DataFault DataFault::contradiction{"contradiction", true};
inline constexpr DataFault DataFault::cycle{"cycle", true};
inline constexpr DataFault DataFault::out_of_reach{"out_of_reach"};
inline constexpr DataFault DataFault::crossing_arcs{"crossing_arcs"};
inline constexpr DataFault DataFault::bad_pattern{"bad_pattern", true};
inline constexpr DataFault DataFault::dead_pattern{"dead_pattern"};
inline constexpr DataFault DataFault::void_condition{"void_condition"};
inline constexpr DataFault DataFault::no_example{"no_example", true};
inline constexpr DataFault DataFault::no_set_up{"no_set_up", true};
inline constexpr DataFault DataFault::partly_read{"partly_read"};
inline constexpr DataFault DataFault::few_documents{"few_documents"};
inline constexpr DataFault DataFault::misaligned_tokens{"misaligned_tokens"};
inline constexpr DataFault DataFault::no_vector{"no_vector"};
inline constexpr DataFault DataFault::always_present{"always_present"};
inline constexpr DataFault DataFault::forgotten_labels{"forgotten_labels"};
inline constexpr DataFault DataFault::few_sentences{"few_sentences"};
inline constexpr DataFault DataFault::several_root_labels{"several_root_labels"};
inline constexpr DataFault DataFault::one_lemma{"one_lemma"};

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

// "A, B, C ...": the first ten, as a message shows them.
WEFT_API std::string first_ten(const std::vector<std::string>& names);

// Says where: of a whole document, or of a labelled span of it. Corpus, message and repair are left
// to the caller.
WEFT_API DataProblem problem_in(DataFault fault, const PlacedDoc& placed);
WEFT_API DataProblem problem_in(DataFault fault, const PlacedDoc& placed, const Span& span);

using DataSink = std::function<void(DataProblem)>;

// Completes a problem by the finding and a suggestion, and tells it.
WEFT_API void tell_with(const DataSink& tell, DataProblem problem, std::string message,
                        std::string repair);

}  // namespace weft
