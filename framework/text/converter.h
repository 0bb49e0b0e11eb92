// Reads annotated documents from a file of some format. Named by `@converters`.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framework/text/char_ents.h"
#include "framework/text/conllu_options.h"
#include "framework/text/doc.h"
#include "framework/text/jsonl_reader.h"
#include "registry/base/error.h"
#include "registry/functions/type.h"

namespace weft {

using TakeDoc = std::function<void(Doc)>;

// The input and options of a converter.
struct ConverterInput {
  std::string path;
  std::shared_ptr<const Vocab> vocab;
  MakeDoc make_doc;  // for running text
  // Sentences to a document where the format knows sentences only; 0: documents end where the file
  // marks it, and nowhere else.
  int sents_per_doc = 1;
  AlignmentPolicy on_misaligned = AlignmentPolicy::error;
  MisalignedSink tell = {};    // may be empty
  LeftOutSink left_out = {};   // may be empty
  RecordOptions records = {};  // of formats that have records
  ConlluOptions conllu = {};   // but for its sents_per_doc
  // The tag (part of speech) of every word of a file that could have a column of them and has none;
  // "" leaves the words without.
  std::string untagged = {};
  // Texts alone are read, or words where a record has no text: no annotation is looked at, no
  // record left out, and an empty line is an empty document, so that documents can be counted off
  // against lines.
  bool text_only = false;
  // Told of the record behind the next document that is handed on, where the format has records;
  // null for an empty line. May be empty.
  std::function<void(const Node* record)> take_record = {};
  // Told of each row (line, sentence, record) that cannot be read; reading goes on behind it where
  // the format allows. Empty: the first one is thrown.
  std::function<void(const Error& error)> bad_row = {};
};

struct Converter {
  // Calls `take` with each document, in order; one at a time is in memory. Throws Error(system)
  // where the file cannot be read, Error(data) with file and line (or document) for what is wrong
  // in it.
  std::function<void(const ConverterInput& input, const TakeDoc& take)> read;
  // A file has a word on each line; blank lines and -DOCSTART- lines say where sentences and
  // documents end. It is read twice where -DOCSTART- lines behind its beginning shall count.
  bool has_token_lines = false;
};

template <>
struct ProductTraits<Converter> {
  static constexpr std::string_view kind = "converters", name = "converter";
  static constexpr bool callable = true;
};

// Hands on what a reader with `next` gives. One with `skip_row` reads on behind what cannot be read
// where `bad_row` is told of it: `skip_row` makes it ready for that, or says that it cannot.
template <class Reader>
void take_all(Reader& reader, const TakeDoc& take,
              const std::function<void(const Error& error)>& bad_row = {}) {
  const auto next = [&]() -> std::optional<Doc> {
    while (true) {
      try {
        return reader.next();
      } catch (const Error& error) {
        if (!bad_row || error.kind() != ErrorKind::data) throw;
        if constexpr (requires { reader.skip_row(); }) {
          if (!reader.skip_row()) throw;
        } else {
          throw;
        }
        bad_row(error);
      }
    }
  };
  while (auto doc = next()) take(std::move(*doc));
}

// Hands documents on to `take`, with `input.untagged` put into those without tags.
WEFT_API TakeDoc tagged(const ConverterInput& input, const TakeDoc& take);

// The files that a path stands for in a format: those below a folder whose endings say so, sorted,
// or the path itself. Throws Error(usage) where a folder has none, and as files_below.
WEFT_API std::vector<std::string> files_of_format(const std::string& path,
                                                  std::string_view converter);

// Calls `read` with the input of each of the files that a path stands for. Of a folder of several
// files, damage that no row ends takes the rest of its file away: `bad_row` is told of it as of a
// row, and the next file is read. Without `bad_row`, and of a single file, it is thrown.
using ReadFile = std::function<void(const ConverterInput& file, const TakeDoc& take)>;
WEFT_API void each_file(const ConverterInput& input, std::string_view converter,
                        const TakeDoc& take, const ReadFile& read);

// As take_all for each of the files that a path stands for; `open` makes a reader of one.
template <class Open>
void take_files(const ConverterInput& input, std::string_view converter, Open open,
                const TakeDoc& take) {
  each_file(input, converter, take, [&](const ConverterInput& file, const TakeDoc& take_doc) {
    const auto reader = open(file.path);
    take_all(*reader, take_doc, file.bad_row);
  });
}

// The name of the converter for a file, by its ending: .conll, .ner, .iob, .iob2, .bio, .tsv,
// .csv, .conllu, .conllubio, .jsonl, .ndjson, .json, .spacy, .txt, .text, each also with .gz, .zst
// or .xz behind it. Some are looked into: a .iob or .ner file may hold a sentence on each line, a
// .json file the training format of spaCy 2 or records, and a .csv file is taken where it has a
// word and its tag on each line. "" for another ending. A folder is of the format that its files
// have. Throws Error(usage) for a folder with none, or with files of several formats.
WEFT_API std::string_view converter_for(const std::string& path);

}  // namespace weft
