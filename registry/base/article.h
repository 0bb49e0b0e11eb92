// Nouns in messages.
#pragma once

#include <string>
#include <string_view>

namespace weft {

// "a schedule", "an augmenter".
inline std::string with_article(std::string_view noun) {
  constexpr std::string_view kVowels = "aeiou";
  const bool vowel = !noun.empty() && kVowels.find(noun.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(noun);
}

}  // namespace weft
