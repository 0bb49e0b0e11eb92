#include "tools/documents.h"

#include <filesystem>
#include <iostream>
#include <sstream>

#include <fmt/format.h>

#include "components/languages/language_data.h"
#include "framework/io/same_file.h"
#include "framework/text/make_doc.h"
#include "registry/base/error.h"

namespace weft::tools {

std::vector<Doc> read_documents(const std::string& file, const Language& nlp,
                                const Catalogue& catalogue, AlignmentPolicy on_misaligned) {
  const Converter converter = converter_of("", file, catalogue);
  const auto make = [&](std::string_view text) { return nlp.make_doc(text); };
  std::vector<Doc> docs;
  converter.read(
      {.path = file, .vocab = nlp.vocab(), .make_doc = make, .on_misaligned = on_misaligned},
      [&](Doc doc) { docs.push_back(std::move(doc)); });
  if (docs.empty()) throw Error(ErrorKind::data, fmt::format("{} holds no document", file));
  return docs;
}

Doc unannotated(const Doc& doc) {
  Doc plain(doc.vocab(), doc.tokens());
  plain.set_strings(doc.strings());
  plain.set_unknown_spaces(doc.has_unknown_spaces());
  // A tokenizer's special case at the beginning of a text leaves its first token without a mark.
  plain.set_sent_starts({doc.sent_starts().begin(), doc.sent_starts().end()});
  return plain;
}

void tell_of_language(const std::string& lang) {
  const std::string note = language_note(lang);
  if (!note.empty()) std::cerr << "note: " << note << '\n';
}

MakeDoc text_by(const std::string& lang, const std::shared_ptr<const Vocab>& vocab) {
  if (lang.empty()) {
    return [](std::string_view) -> Doc {
      throw Error(ErrorKind::usage,
                  "the input has running text: --lang CODE says by whose rules it is cut");
    };
  }
  tell_of_language(lang);
  auto tokenizer = std::make_shared<const Tokenizer>(language_tokenizer_rules(lang));
  return [tokenizer, vocab](std::string_view text) { return make_doc(*tokenizer, vocab, text); };
}

LeftOutSink LeftOut::sink() {
  return [this](Verdict verdict) { ++(verdict == Verdict::rejected ? rejected_ : ignored_); };
}

void LeftOut::tell() const {
  if (rejected_ + ignored_ == 0) return;
  std::cerr << fmt::format("{} records are left out: {} rejected, {} ignored by their annotator\n",
                           rejected_ + ignored_, rejected_, ignored_);
}

AlignmentPolicy misaligned_policy(const CommandLine& line) {
  if (!line.has("misaligned")) return AlignmentPolicy::error;
  if (const auto policy = alignment_policy_of(line.text("misaligned"))) return *policy;
  throw Error(ErrorKind::usage, fmt::format("--misaligned is error, drop, expand or contract, not "
                                            "'{}'",
                                            line.text("misaligned")));
}

std::vector<std::string> tag_names_of(const CommandLine& line) {
  std::vector<std::string> names;
  std::istringstream list(line.text("tag-names"));
  for (std::string name; std::getline(list, name, ',');) {
    const std::size_t start = name.find_first_not_of(' ');
    if (start == name.npos) throw Error(ErrorKind::usage, "--tag-names has an empty name");
    names.push_back(name.substr(start, name.find_last_not_of(' ') - start + 1));
  }
  return names;
}

void refuse_output_on_input(const std::filesystem::path& output,
                            const std::filesystem::path& input) {
  if (!is_input_itself(input, output)) return;
  std::error_code unknown;
  if (std::filesystem::is_directory(input, unknown)) {
    throw Error(ErrorKind::usage,
                fmt::format("the output {} lies in the folder that is read, or is one of its "
                            "files; give another place",
                            output.string()));
  }
  throw Error(ErrorKind::usage,
              fmt::format("the output {} is the input itself; give another name", output.string()));
}

}  // namespace weft::tools
