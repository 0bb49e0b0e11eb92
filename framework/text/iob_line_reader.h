// Reads files with one sentence per line and tags behind the words: "New|B-GPE York|I-GPE" or
// "New|NNP|B-GPE York|NNP|I-GPE", what spaCy's `iob` converter takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/io/input_lines.h"
#include "framework/io/read_budget.h"
#include "framework/text/biluo.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

struct IobLineOptions {
  TagScheme scheme = TagScheme::any;
  int sents_per_doc = 1;  // from 1
};

// Tokens stand between white space of any kind. The spacing of documents is unknown. Not for
// several threads.
class WEFT_API IobLineReader {
 public:
  // Throws as InputFile where the file cannot be opened; pipes are read.
  IobLineReader(std::string path, std::shared_ptr<const Vocab> vocab, IobLineOptions options = {});

  // The next document, or nothing at the end; blank lines are passed over. Throws Error(data) with
  // file and line for a token without tag, another number of parts than before, text that is not
  // UTF-8, tags that do not follow from each other, and a document that takes more memory than a
  // ReadBudget allows.
  std::optional<Doc> next();

  // Behind an Error(data): leaves out what was read of the line. The sentences of the document
  // before it are kept. False where the file gives nothing more.
  bool skip_row();

  // Of the first sentence of the document that `next` gave last, from 1.
  int first_line() const { return first_line_; }

 private:
  struct Columns {
    std::vector<std::string> words;
    std::vector<std::string> tags;
    std::vector<std::string> iobs;
    std::vector<Span> ents;
    std::vector<Span> missing;
    std::vector<std::int8_t> sent_starts;
  };
  bool read_sentence();
  void take_token(std::string_view token);
  // The entities of the sentence that begins with word `first`.
  void take_ents(int first);
  Doc made_of(const Columns& columns) const;
  [[noreturn]] void fail(const std::string& message) const;

  std::string path_;
  std::shared_ptr<const Vocab> vocab_;
  IobLineOptions options_;
  InputLines file_;
  std::string buffer_;
  int line_ = 0;
  int first_line_ = 0;
  std::size_t parts_ = 0;  // of every token of the line so far
  Columns columns_;        // of the document in the making
  int sentences_ = 0;      // 〃
  ReadBudget budget_;
  std::uint64_t kept_bytes_ = 0;  // charged for its sentences but the last
};

// Whether a file reads like one: its first line that is not blank has tokens with '|' only. Pipes,
// which can be read only once, are left alone and do not.
WEFT_API bool looks_like_iob_lines(const std::string& path);

// Whether a file has a word and its entity tag on its first line that is not blank. Pipes as above.
WEFT_API bool looks_like_tag_lines(const std::string& path);

}  // namespace weft
