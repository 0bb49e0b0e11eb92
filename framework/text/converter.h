// Reads annotated documents from a file of some format. Named by `@converters`.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "framework/text/char_ents.h"
#include "framework/text/doc.h"
#include "framework/text/jsonl_reader.h"
#include "registry/functions/type.h"

namespace weft {

using TakeDoc = std::function<void(Doc)>;

// What a converter reads, and how.
struct ConverterInput {
  std::string path;
  std::shared_ptr<const Vocab> vocab;
  MakeDoc make_doc;  // for running text
  // Sentences to a document where the format knows sentences only, from 1.
  int sents_per_doc = 1;
  AlignmentPolicy on_misaligned = AlignmentPolicy::error;
  MisalignedSink tell = {};  // may be empty
};

struct Converter {
  // Calls `take` with each document, in order; one at a time is in memory. Throws Error(system)
  // where the file cannot be read, Error(data) with file and line (or document) for what is wrong
  // in it.
  std::function<void(const ConverterInput& input, const TakeDoc& take)> read;
};

template <>
struct ProductTraits<Converter> {
  static constexpr std::string_view kind = "converters", name = "converter";
  static constexpr bool callable = true;
};

// Hands on what a reader with `next` gives.
template <class Reader>
void take_all(Reader& reader, const TakeDoc& take) {
  while (auto doc = reader.next()) take(std::move(*doc));
}

// The name of the converter for a file, by its ending: .conll, .iob, .iob2, .bio, .tsv, .jsonl,
// .ndjson, .json, .spacy, .txt, .text; a folder holds .spacy files. A .iob file is looked into: it
// may hold a sentence on each line. "" for another ending.
WEFT_API std::string_view converter_for(const std::string& path);

}  // namespace weft
