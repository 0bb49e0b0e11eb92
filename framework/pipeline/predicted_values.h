// How much components may predict of a document beside its tokens.
#pragma once

#include <cstddef>

namespace weft {

struct PredictedValues {
  std::size_t of_document = 0;  // however short it is: one for each label of a text classifier
  std::size_t of_token = 0;     // one for each label of each span that is looked at

  PredictedValues& operator+=(const PredictedValues& other) {
    of_document += other.of_document;
    of_token += other.of_token;
    return *this;
  }
};

// A document's share of a limit of tokens. So many values of a document, or half a thousand spans,
// take the memory of a token or some of them; of fewer labels nobody notices.
constexpr std::size_t prediction_weight(std::size_t tokens, const PredictedValues& values) {
  constexpr std::size_t kValuesOfToken = 64, kSpansOfToken = 512;
  return tokens * (1 + values.of_token / kSpansOfToken) + values.of_document / kValuesOfToken;
}

}  // namespace weft
