// Two tokenizations out of any bytes: 0xFF parts the tokens, 0xFE the two documents.
#include <cstdlib>

#include "framework/parser/ner_gold.h"
#include "framework/text/example.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"
#include "tests/fuzz/memory_file.h"

namespace {

weft::Doc doc_of(std::string_view bytes, const std::shared_ptr<const weft::Vocab>& vocab) {
  weft::TokenTableBuilder builder;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\xFF');
    const std::string_view word = bytes.substr(0, end);
    if (!word.empty()) builder.append(word, vocab->lexeme(word), word.size() % 2 == 0);
    bytes = end == bytes.npos ? std::string_view() : bytes.substr(end + 1);
  }
  return weft::Doc(vocab, builder.finish());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = weft::as_text(data, size);
  const std::size_t middle = std::min(bytes.find('\xFE'), bytes.size());
  try {
    const auto vocab = std::make_shared<weft::Vocab>("xx", 64);
    weft::Doc reference = doc_of(bytes.substr(std::min(middle + 1, bytes.size())), vocab);
    std::vector<weft::Span> ents;
    for (int i = 0; i + 2 <= reference.size(); i += 3) ents.push_back({i, i + 2, 5});
    reference.set_ents(ents);
    const weft::Example example(doc_of(bytes.substr(0, middle), vocab), std::move(reference));
    if (static_cast<int>(weft::gold_tags(example).size()) != example.size()) std::abort();
  } catch (const weft::Error&) {
  }
  weft::lower(weft::find_invalid_utf8(bytes) ? std::string_view() : bytes);
  return 0;
}
