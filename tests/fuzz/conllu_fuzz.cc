// Any bytes as a file of CoNLL-U, read in several ways. A document that can be written has to be
// read again, with the same words.
#include <sstream>

#include "framework/text/conllu.h"
#include "framework/text/conllu_writer.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

namespace {

std::string words_of(const weft::Doc& doc) {
  std::string words;
  for (int i = 0; i < doc.size(); ++i) words.append(doc.word(i)).append("\n");
  return words;
}

// Each sentence is a document then.
void check_written(const weft::Doc& doc, const std::shared_ptr<const weft::Vocab>& vocab) {
  std::ostringstream out;
  try {
    weft::ConlluWriter(out, false).add(doc);
  } catch (const weft::Error&) {
    return;  // what the format cannot hold
  }
  const weft::MemoryFile file(out.str());
  weft::ConlluReader reader(file.path(), vocab, {.sents_per_doc = 1 << 20});
  const auto again = reader.next();
  std::string words;
  for (int i = 0; i < doc.size(); ++i) {
    if (doc.word(i).find_first_not_of(" \v\f") != std::string_view::npos) {
      words.append(doc.word(i)).append("\n");
    }
  }
  weft::fuzz::check((again ? words_of(*again) : "") == words, "other words were read", out.str());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const weft::ConlluOptions options{.sents_per_doc = data[0] & 3,
                                    .merge_subtokens = (data[0] & 4) != 0,
                                    .append_morphology = (data[0] & 8) != 0,
                                    .ner_map = {{"X", ""}, {"Y", "Z"}},
                                    .as_spacy = (data[0] & 16) != 0};
  const auto vocab = std::make_shared<const weft::Vocab>("xx", 64);
  try {
    const weft::MemoryFile file(weft::as_text(data + 1, size - 1));
    weft::ConlluReader reader(file.path(), vocab, options);
    while (const auto doc = reader.next()) {
      doc->ents();
      doc->sents();
      check_written(*doc, vocab);
    }
  } catch (const weft::Error&) {
  }
  return 0;
}
