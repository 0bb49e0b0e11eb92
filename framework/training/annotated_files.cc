#include "framework/training/annotated_files.h"

#include <filesystem>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "framework/text/converter.h"
#include "framework/text/jsonl_reader.h"
#include "framework/text/packed_doc_bin.h"
#include "registry/base/error.h"

namespace weft {
namespace {

struct Source {
  const Language& nlp;
  const AnnotationTells& to;
};

DataFault fault_of(const Misaligned& found) {
  switch (found.fault) {
    case EntFault::shares_token:
      return DataFault::overlap;
    case EntFault::not_on_tokens:
      return found.blank_edge ? DataFault::white_space : DataFault::misaligned;
    case EntFault::other_text:
      return DataFault::misaligned;
    case EntFault::no_characters:
    case EntFault::past_end:
      break;
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

// Reports an error of a reader about one document; one of another kind is thrown on. For handlers
// of that error alone.
void report(const Error& error, const std::string& file, std::int64_t document,
            const Source& source) {
  if (error.kind() != ErrorKind::data) throw;
  source.to.tell({.fault = DataFault::unreadable,
                  .corpus = source.to.corpus,
                  .file = file,
                  .line = error.place().line,
                  .document = document,
                  .message = error.message().empty() ? error.what() : error.message(),
                  .repair = "correct the line or leave it out"});
}

void read_jsonl(const std::string& file, std::vector<std::string> tag_names, const Source& source) {
  const auto make = [&](std::string_view text) { return source.nlp.make_doc(text); };
  const auto tell = [&](const Misaligned& found) {
    source.to.tell(problem_of(found, source.to.corpus));
  };
  JsonlReader reader(
      file, source.nlp.vocab(), make,
      {.on_misaligned = AlignmentPolicy::expand, .tell = tell, .records = {std::move(tag_names)}});
  for (std::int64_t document = 1;; ++document) {
    try {
      std::optional<Doc> doc = reader.next();
      if (!doc) return;
      source.to.take({std::move(*doc), file, reader.line(), document, false});
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
      source.to.take({std::move(*doc), file, line_of(), document, own_tokens});
    } catch (const Error& error) {
      return report(error, file, document, source);
    }
  }
}

void read_conll(const std::string& file, const ConllOptions& options, const Source& source) {
  ConllReader reader(file, source.nlp.vocab(), options);
  read_up_to_error(reader, file, false, source, [&] { return reader.first_line(); });
}

void read_csv(const std::string& file, const CsvOptions& options, const Source& source) {
  const auto make = [&](std::string_view text) { return source.nlp.make_doc(text); };
  std::optional<CsvReader> reader;
  for (std::int64_t document = 1;; ++document) {
    try {
      if (!reader) reader.emplace(file, source.nlp.vocab(), make, options);
      std::optional<Doc> doc = reader->next();
      if (!doc) return;
      source.to.take({std::move(*doc), file, reader->line(), document, false});
    } catch (const Error& error) {
      report(error, file, document, source);
      if (!reader || !reader->skip_row()) return;
    }
  }
}

void read_conllu(const std::string& file, const ConlluOptions& options, const Source& source) {
  ConlluReader reader(file, source.nlp.vocab(), options);
  read_up_to_error(reader, file, false, source, [&] { return reader.first_line(); });
}

void read_doc_bin(const std::string& file, const Source& source) {
  try {
    PackedDocBin reader(file, source.nlp.vocab());
    read_up_to_error(reader, file, true, source, [] { return 0; });
  } catch (const Error& error) {
    report(error, file, 0, source);
  }
}

using ReadFile = std::function<void(const std::string& file, const Source&)>;
using FilesOf = std::vector<std::string> (*)(const std::string& path);

// Reads all files of a corpus, which are found when it is read.
ReadAnnotated reads_files(const std::filesystem::path& path, const FilesOf& files_of,
                          ReadFile read) {
  return [path, files_of, read = std::move(read)](const Language& nlp, const AnnotationTells& to) {
    for (const std::string& file : files_of(path.string())) read(file, {nlp, to});
  };
}

std::vector<std::string> alone(const std::string& path) {
  return {path};
}
std::vector<std::string> jsonl_below(const std::string& path) {
  return files_of_format(path, "jsonl");
}
std::vector<std::string> conll_below(const std::string& path) {
  return files_of_format(path, "conll");
}
std::vector<std::string> conllu_below(const std::string& path) {
  return files_of_format(path, "conllu");
}
std::vector<std::string> packed_below(const std::string& path) {
  return doc_bins_below(path);
}

}  // namespace

ReadAnnotated annotated_jsonl(const CorpusPath& path, std::vector<std::string> tag_names) {
  return reads_files(
      path.value_or(""), jsonl_below,
      [tag_names = std::move(tag_names)](const std::string& file, const Source& source) {
        read_jsonl(file, tag_names, source);
      });
}

ReadAnnotated annotated_doc_bins(const CorpusPath& path) {
  return reads_files(path.value_or(""), packed_below, read_doc_bin);
}

ReadAnnotated annotated_conll(const CorpusPath& path, const ConllOptions& options) {
  return reads_files(path.value_or(""), conll_below,
                     [options](const std::string& file, const Source& source) {
                       read_conll(file, options, source);
                     });
}

ReadAnnotated annotated_conllu(const CorpusPath& path, const ConlluOptions& options) {
  return reads_files(path.value_or(""), conllu_below,
                     [options](const std::string& file, const Source& source) {
                       read_conllu(file, options, source);
                     });
}

ReadAnnotated annotated_csv(const CorpusPath& path, const CsvSettings& settings) {
  return reads_files(path.value_or(""), alone,
                     [settings](const std::string& file, const Source& source) {
                       read_csv(file, csv_options(settings, file), source);
                     });
}

}  // namespace weft
