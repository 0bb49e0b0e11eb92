#include "framework/training/annotated_files.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "framework/io/files_below.h"
#include "framework/text/conll.h"
#include "framework/text/doc_bin.h"
#include "framework/text/jsonl_reader.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using Take = std::function<void(const PlacedDoc&)>;

struct Source {
  const std::string& corpus;
  const Language& nlp;
  const Take& take;
  const DataSink& tell;
};

DataFault fault_of(const Misaligned& found) {
  if (found.reason.starts_with("shares")) return DataFault::overlap;
  if (found.reason.starts_with("does not fall")) {
    return found.blank_edge ? DataFault::white_space : DataFault::misaligned;
  }
  return DataFault::outside;
}

std::string repair_of(const Misaligned& found) {
  if (!found.kept) return "correct the offsets, or leave the entity out";
  return fmt::format("take \"{}\"", found.kept_text);
}

DataProblem problem_of(const Misaligned& found, const std::string& corpus) {
  return {.fault = fault_of(found),
          .corpus = corpus,
          .file = found.place.file,
          .line = found.place.line,
          .document = static_cast<std::int64_t>(found.place.document) + 1,
          .start = static_cast<std::int64_t>(found.ent.start),
          .end = static_cast<std::int64_t>(found.ent.end),
          .label = found.ent.label,
          .text = found.text,
          .message = fmt::format("the entity {}", found.reason),
          .repair = repair_of(found)};
}

// What a reader threw about one document. False: nothing behind it can be read.
void report(const Error& error, const std::string& file, std::int64_t document,
            const Source& source) {
  if (error.kind() != ErrorKind::data) throw error;
  source.tell({.fault = DataFault::unreadable,
               .corpus = source.corpus,
               .file = file,
               .line = error.place().line,
               .document = document,
               .message = error.message().empty() ? error.what() : error.message(),
               .repair = "correct the line or leave it out"});
}

void read_jsonl(const std::string& file, const Source& source) {
  const auto make = [&](std::string_view text) { return source.nlp.make_doc(text); };
  const auto tell = [&](const Misaligned& found) { source.tell(problem_of(found, source.corpus)); };
  JsonlReader reader(file, source.nlp.vocab(), make, {AlignmentPolicy::expand, tell});
  for (std::int64_t document = 1;; ++document) {
    try {
      std::optional<Doc> doc = reader.next();
      if (!doc) return;
      source.take({std::move(*doc), file, reader.line(), document, false});
    } catch (const Error& error) {
      report(error, file, document, source);
    }
  }
}

// A reader whose place behind an error is not known.
template <class Reader, class LineOf>
void read_up_to_error(Reader& reader, const std::string& file, bool own_tokens,
                      const Source& source, const LineOf& line_of) {
  for (std::int64_t document = 1;; ++document) {
    try {
      std::optional<Doc> doc = reader.next();
      if (!doc) return;
      source.take({std::move(*doc), file, line_of(), document, own_tokens});
    } catch (const Error& error) {
      return report(error, file, document, source);
    }
  }
}

void read_conll(const std::string& file, int sentences, const Source& source) {
  ConllReader reader(file, source.nlp.vocab(), {.sents_per_doc = sentences});
  read_up_to_error(reader, file, false, source, [&] { return reader.first_line(); });
}

void read_doc_bin(const std::string& file, const Source& source) {
  try {
    DocBinReader reader(file, source.nlp.vocab());
    read_up_to_error(reader, file, true, source, [] { return 0; });
  } catch (const Error& error) {
    report(error, file, 0, source);
  }
}

const Node* setting(const Config& values, const std::string& corpus, const char* name) {
  return values.find(corpus + "." + name);
}

}  // namespace

void read_annotated(const Config& values, const std::string& corpus, const Language& nlp,
                    const Take& take, const DataSink& tell) {
  const Node* reader = setting(values, corpus, "@readers");
  const Node* path = setting(values, corpus, "path");
  const std::string name = reader != nullptr && reader->is_string() ? reader->as_string() : "";
  if (path == nullptr || !path->is_string()) {
    throw Error(ErrorKind::usage, fmt::format("[{}] has no path", corpus));
  }
  const Source source{corpus, nlp, take, tell};
  if (name == "spacy.JsonlCorpus.v1") {
    for (const std::string& file : files_below(path->as_string(), ".jsonl")) {
      read_jsonl(file, source);
    }
  } else if (name == "spacy.Corpus.v1") {
    for (const std::string& file : files_below(path->as_string(), ".spacy"))
      read_doc_bin(file, source);
  } else if (name == "weft.ConllCorpus.v1") {
    const Node* sentences = setting(values, corpus, "sentences_per_document");
    const bool given = sentences != nullptr && sentences->is_integer();
    read_conll(path->as_string(), given ? static_cast<int>(sentences->as_integer()) : 1, source);
  } else {
    throw Error(ErrorKind::usage,
                fmt::format("[{}]: the reader '{}' cannot be checked; those that can are "
                            "spacy.Corpus.v1, spacy.JsonlCorpus.v1 and weft.ConllCorpus.v1",
                            corpus, name));
  }
}

}  // namespace weft
