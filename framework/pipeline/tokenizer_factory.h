// Makes the tokenizer of a language. Named by `@tokenizers`.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "framework/pipeline/tokenization_scores.h"
#include "registry/functions/type.h"

namespace weft {

class Tokenizer;

struct TokenizerFactory {
  // For a language code. Throws Error(config) if there are no rules for it.
  std::function<std::shared_ptr<const Tokenizer>(std::string_view lang)> make = {};
  // Why a language has a tokenizer that was not made for it, in one sentence; empty where it was.
  std::function<std::string(std::string_view lang)> note = {};
  // Of its tokens, in evaluations.
  Scorer scorer = tokenization_scorer();
};

template <>
struct ProductTraits<TokenizerFactory> {
  static constexpr std::string_view kind = "tokenizers", name = "tokenizer";
  static constexpr bool callable = true;
};

}  // namespace weft
