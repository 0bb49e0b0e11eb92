#include "framework/text/make_doc.h"

#include <utility>
#include <vector>

namespace weft {

Doc make_doc(const Tokenizer& tokenizer, std::shared_ptr<const Vocab> vocab,
             std::string_view text) {
  TokenizedDoc cut = tokenizer.tokenize(text, *vocab);
  Doc doc(std::move(vocab), std::move(cut.tokens));
  if (cut.first_replaced) {
    doc.set_sent_starts(std::vector<std::int8_t>(static_cast<std::size_t>(doc.size()), 0));
  }
  return doc;
}

}  // namespace weft
