#include "framework/text/make_doc.h"

#include <utility>
#include <vector>

namespace weft {

Doc make_doc(const Tokenizer& tokenizer, std::shared_ptr<const Vocab> vocab,
             std::string_view text) {
  const TokenizedText cut = tokenizer.tokenize(text);
  TokenTableBuilder builder;
  for (const TokenSpan& token : cut.tokens) {
    const std::string_view word = text.substr(token.begin, token.length);
    const Lexeme lexeme = vocab->lexeme(word);
    const StringId norm =
        token.norm == 0 ? lexeme.norm : vocab->strings().add(tokenizer.norm(token.norm));
    builder.append(word, lexeme, token.space_after, norm);
  }
  Doc doc(std::move(vocab), builder.finish());
  if (cut.first_replaced) {
    doc.set_sent_starts(std::vector<std::int8_t>(static_cast<std::size_t>(doc.size()), 0));
  }
  return doc;
}

}  // namespace weft
