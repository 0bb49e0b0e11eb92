// Any bytes as JSON lines, with a tokenizer that cuts at spaces.
#include "framework/parser/ner_gold.h"
#include "framework/text/biluo.h"
#include "framework/text/example.h"
#include "framework/text/jsonl_reader.h"
#include "registry/base/error.h"
#include "tests/fuzz/memory_file.h"

namespace {

using weft::Doc;
using weft::Vocab;

Doc cut_at_spaces(const std::shared_ptr<const Vocab>& vocab, std::string_view text) {
  weft::TokenTableBuilder builder;
  while (!text.empty()) {
    const std::size_t end = text.find(' ', 1);
    const std::string_view word = text.substr(0, end);
    builder.append(word, vocab->lexeme(word), false);
    text.remove_prefix(word.size());
  }
  return Doc(vocab, builder.finish());
}

void read_lines(const std::string& path, const std::shared_ptr<const Vocab>& vocab,
                weft::AlignmentPolicy policy) {
  weft::JsonlReader reader(path, vocab,
                           [&](std::string_view text) { return cut_at_spaces(vocab, text); },
                           {policy, [](const weft::Misaligned& misaligned) { misaligned.str(); }});
  while (auto doc = reader.next()) {
    weft::biluo_strings(*doc);
    weft::gold_tags(weft::Example::from_reference(std::move(*doc)));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const weft::MemoryFile file(weft::as_text(data + 1, size - 1));
  const auto vocab = std::make_shared<Vocab>("xx", 64);
  try {
    read_lines(file.path(), vocab, static_cast<weft::AlignmentPolicy>(data[0] & 3));
  } catch (const weft::Error&) {
  }
  return 0;
}
