// Files of documents that commands read, whatever their format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/text/choose_converter.h"
#include "framework/text/converter.h"
#include "registry/functions/catalogue.h"
#include "tools/command_line.h"

namespace weft::tools {

// All documents of a file with their annotation, `nlp` cutting running text. Throws Error(usage) as
// converter_of, Error(data) if there is none or the file is damaged.
std::vector<Doc> read_documents(const std::string& file, const Language& nlp,
                                const Catalogue& catalogue, AlignmentPolicy on_misaligned);

// The input of a pipeline: words with their norms, spacing and sentences, but no annotation of the
// input.
Doc unannotated(const Doc& doc);

// Cuts running text by the rules of a language; "": its cutter throws Error(usage), because words
// have to be given.
MakeDoc text_by(const std::string& lang, const std::shared_ptr<const Vocab>& vocab);

// A note on standard error where the language has no rules of its own.
void tell_of_language(const std::string& lang);

// Counts the records of an input that their annotators rejected or ignored.
class LeftOut {
 public:
  // Not to be used after this is gone.
  LeftOutSink sink();
  std::int64_t rejected() const { return rejected_; }
  std::int64_t ignored() const { return ignored_; }
  // One line on standard error, if there were any.
  void tell() const;

 private:
  std::int64_t rejected_ = 0;
  std::int64_t ignored_ = 0;
};

// The policy of --misaligned; error without it. Throws Error(usage) for another word.
AlignmentPolicy misaligned_policy(const CommandLine& line);

// The names in `--tag-names O,B-PER,I-PER`; none where it was not given.
std::vector<std::string> tag_names_of(const CommandLine& line);

// Throws Error(usage) where a file is to be written over what it is made from.
void refuse_output_on_input(const std::filesystem::path& output,
                            const std::filesystem::path& input);

}  // namespace weft::tools
