#include "framework/text/realign.h"

#include <utility>

namespace weft {

void realign(Example& example, const std::shared_ptr<const TokenTable>& tokens) {
  if (example.predicted().tokens() == tokens) return;
  Example aligned(std::move(example.predicted()), example.reference());
  aligned.set_number(example.number());
  aligned.set_place(example.place());
  example = std::move(aligned);
}

}  // namespace weft
