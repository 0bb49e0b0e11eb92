// Reads files with one token per line: the word first, its entity tag last, one or two columns that
// only CoNLL-2003 uses between them, and a blank line after every sentence.
//
//   weft::ConllReader reader("train.conll", vocab);
//   while (auto doc = reader.next()) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/io/read_budget.h"
#include "framework/text/biluo.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

struct ConllOptions {
  TagScheme scheme = TagScheme::any;
  // Sentences to a document; 0 = a document goes on until a -DOCSTART- line, which always ends one.
  int sents_per_doc = 1;
  // In a file that begins with -DOCSTART-, only these lines end documents: of a pipe, which cannot
  // be looked through before, as `marks_documents` says it of a file.
  bool prefer_docstart = false;
};

// Columns are parted by tabs where a line has one, else by spaces. The second of three or four
// columns becomes the tag (part of speech). A first line that names the columns, and columns
// between commas or semicolons, are recognised too (framework/text/tag_columns.h); where a column
// numbers the sentences, another number begins one. The spacing of documents is unknown. One
// document is in memory at a time. Not for several threads.
class WEFT_API ConllReader {
 public:
  // Throws Error(system) where the file cannot be opened.
  ConllReader(std::string path, std::shared_ptr<const Vocab> vocab, ConllOptions options = {});
  ~ConllReader();
  ConllReader(const ConllReader&) = delete;
  ConllReader& operator=(const ConllReader&) = delete;

  // The next document with at least one token, or nothing at the end of the file. Throws
  // Error(data) with file, line and column for: a line with fewer than 2, more than 4, or another
  // number of columns than the lines before; text that is not UTF-8; a tag that is none; tags that
  // do not follow from each other; a line of more than 16 MiB; a document that takes more memory
  // than a ReadBudget allows.
  std::optional<Doc> next();

  // Behind an Error(data): passes over what is left of the sentence. The sentences of the document
  // before it are kept. False where the file gives nothing more.
  bool skip_row();

  const std::string& path() const { return path_; }
  // Where the document that `next` gave last begins: its first token's line, from 1.
  int first_line() const { return first_line_; }

 private:
  struct Input;
  struct Sentence;
  enum class Stop { blank, docstart, end };
  Stop read_sentence(Sentence& sentence);
  // The next line, which may have been put back; false at the end.
  bool next_line();
  // Whether the line begins another sentence than the one at hand.
  bool take_line(std::string_view line, Sentence& sentence);
  void keep(const Sentence& sentence);
  bool begins_other_sentence(std::string_view line);
  Doc finish();
  [[noreturn]] void fail(int line, int column, const std::string& message) const;

  std::string path_;
  std::shared_ptr<const std::string> shared_path_;
  std::shared_ptr<const Vocab> vocab_;
  ConllOptions options_;
  std::unique_ptr<Input> input_;
  int line_ = 0;
  int first_line_ = 0;
  int sentences_ = 0;  // of the document in the making

  // The document in the making.
  TokenTableBuilder tokens_;
  std::vector<std::int8_t> sent_starts_;
  std::vector<StringId> tags_;
  std::vector<Span> ents_;
  std::vector<Span> missing_;
  int doc_line_ = 0;
  ReadBudget budget_;
  std::uint64_t kept_bytes_ = 0;  // charged for its sentences but the last
};

// Whether some line of a file begins with -DOCSTART-: then such lines alone end documents (as in
// spaCy's converter). Pipes, which can be read only once, are left alone and do not.
WEFT_API bool marks_documents(const std::string& path);

}  // namespace weft
