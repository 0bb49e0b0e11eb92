// A training example: what the pipeline is given and what it should make of it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/text/alignment.h"
#include "framework/text/biluo.h"
#include "framework/text/char_ents.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// Where an example was read, for messages.
struct WEFT_API ExamplePlace {
  std::shared_ptr<const std::string> file = nullptr;  // null: not known
  int line = 0;                                       // from 1; 0: the format has none
  std::int64_t document = 0;                          // in the file, from 1; 0: not known
  // "train.jsonl:7, document 6"; "" where nothing is known.
  std::string str() const;
  // "FILE:LINE, document N: message", or the message alone where the place is not known.
  std::string before(std::string_view message) const;
};

// `predicted` is annotated by components, `reference` holds the gold annotation; their tokens may
// differ, their text may not (letter case and white space aside).
// Const functions may be called by several threads at once.
class WEFT_API Example {
 public:
  // Throws Error(data) where the two are not of the same text. Later annotation is fine; behind
  // another tokenization, as by components that merge or split, comes `align_again`.
  Example(Doc predicted, Doc reference);
  // Aligns the two documents anew if one has got other tokens. Throws as the constructor.
  void align_again();
  // The predicted document gets the reference's words, with norms that follow from them.
  static Example from_reference(Doc reference);

  // Of a document without annotation and its entities, like spaCy's Example.from_dict; no entity in
  // the list means that there is none in the text. For words that are given, make the document with
  // Doc::from_words.
  //
  // By characters, in code points: {{0, 12, "PERSON"}}. Throws Error(data) for one that does not
  // fall on token boundaries; another policy repairs it or leaves its tokens without annotation.
  static Example from_offsets(Doc predicted, std::span<const CharEnt> ents,
                              AlignmentPolicy on_misaligned = AlignmentPolicy::error);
  static Example from_offsets(Doc predicted, std::initializer_list<CharEnt> ents,
                              AlignmentPolicy on_misaligned = AlignmentPolicy::error) {
    return from_offsets(std::move(predicted), std::span(ents.begin(), ents.size()), on_misaligned);
  }
  // By one tag for each token, BILUO or IOB; "-" or "": not annotated. Throws Error(data) where
  // they make no sense.
  static Example from_tags(Doc predicted, std::span<const std::string> tags);
  static Example from_tags(Doc predicted, std::initializer_list<std::string> tags) {
    return from_tags(std::move(predicted), std::span(tags.begin(), tags.size()));
  }
  // By tokens [start, end). Throws Error(data) for one that is out of range or overlaps another.
  static Example from_spans(Doc predicted, std::span<const TagSpan> ents);
  static Example from_spans(Doc predicted, std::initializer_list<TagSpan> ents) {
    return from_spans(std::move(predicted), std::span(ents.begin(), ents.size()));
  }

  Doc& predicted() { return predicted_; }
  const Doc& predicted() const { return predicted_; }
  Doc& reference() { return reference_; }
  const Doc& reference() const { return reference_; }
  const Alignment& alignment() const { return alignment_; }

  // Its place in the corpus, counted from 1, for messages; 0: not known.
  std::int64_t number() const { return number_; }
  void set_number(std::int64_t number) { number_ = number; }
  const ExamplePlace& place() const { return place_; }
  void set_place(ExamplePlace place) { place_ = std::move(place); }

  // Length of the example for batching: the predicted tokens.
  int size() const { return predicted_.size(); }

  // ---- the reference's annotation on the predicted tokens
  // The value that all reference tokens of a predicted one have; nothing where they disagree or
  // there is none. `value_of`: of a reference token, by its number (spaCy 3.8, get_aligned).
  template <class ValueOf>
  auto aligned(int predicted, const ValueOf& value_of) const {
    std::optional<std::decay_t<decltype(value_of(0))>> agreed;
    for (const int token : alignment_.to_reference(predicted)) {
      const auto value = value_of(token);
      if (agreed && *agreed != value) return decltype(agreed)();
      agreed = value;
    }
    return agreed;
  }
  // The same for all tokens and a column of Doc; 0 for nothing.
  std::vector<StringId> aligned_column(Attr attr) const;
  // Spans of the reference as spans of the predicted document: those whose tokens spell the same
  // text there. Without `allow_overlap` a token serves one span only, the first.
  std::vector<Span> spans_to_predicted(std::span<const Span> spans, bool allow_overlap) const;
  // The other way round.
  std::vector<Span> spans_to_reference(std::span<const Span> spans, bool allow_overlap) const;

 private:
  Doc predicted_;
  Doc reference_;
  // Those that are aligned.
  std::shared_ptr<const TokenTable> predicted_tokens_, reference_tokens_;
  Alignment alignment_;
  std::int64_t number_ = 0;
  ExamplePlace place_;
};

}  // namespace weft
