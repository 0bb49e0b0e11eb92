// Any bytes as a `.spacy` file: the first byte says whether the rest is the file or what it
// inflates to.
#include <cstdlib>

#include "framework/io/deflate_sections.h"
#include "framework/text/doc_bin.h"
#include "registry/base/error.h"
#include "tests/fuzz/memory_file.h"

namespace {

// Documents that could be read can be written and read again.
void write_and_read(const std::vector<weft::Doc>& docs, const std::shared_ptr<weft::Vocab>& vocab) {
  weft::DocBinWriter writer;
  std::size_t written = 0;
  for (const weft::Doc& doc : docs) {
    try {
      writer.add(doc);
      ++written;
    } catch (const weft::Error&) {  // an id without text
      return;
    }
  }
  const weft::MemoryFile file(writer.to_bytes());
  weft::DocBinReader reader(file.path(), vocab);
  for (std::size_t i = 0; i < written; ++i) {
    const auto doc = reader.next();
    if (!doc || doc->text() != docs[i].text() || doc->ents() != docs[i].ents()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string bytes(weft::as_text(data + 1, size - 1));
  if ((data[0] & 1) != 0) {
    weft::DeflateStream stream;
    stream.add(bytes);
    bytes = stream.finish();
  }
  try {
    const weft::MemoryFile file(bytes);
    const auto vocab = std::make_shared<weft::Vocab>("xx", 64);
    weft::DocBinReader reader(file.path(), vocab);
    std::vector<weft::Doc> docs;
    while (auto doc = reader.next()) {
      doc->ents();
      doc->sents();
      doc->slice(0, doc->size() / 2);
      docs.push_back(std::move(*doc));
    }
    write_and_read(docs, vocab);
  } catch (const weft::Error&) {
  }
  return 0;
}
