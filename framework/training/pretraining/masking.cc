#include "framework/training/pretraining/masking.h"

#include <memory>
#include <span>
#include <string>

#include "framework/ops/random.h"

namespace weft {
namespace {

constexpr float kMasked = 0.15F;
constexpr float kHidden = 0.8F;  // of the masked
constexpr float kHiddenOrOther = 0.9F;
constexpr std::string_view kMask = "[MASK]";

// The draws of a token: whether it is masked, how, and which random word.
constexpr std::uint64_t kDraws = 3;

}  // namespace

std::vector<Doc> with_words(const std::vector<Doc>& docs, const std::vector<std::string>& words) {
  std::vector<Doc> made;
  made.reserve(docs.size());
  std::span<const std::string> left(words);
  for (const Doc& doc : docs) {
    const auto size = static_cast<std::size_t>(doc.size());
    const auto spaces = std::make_unique<bool[]>(size);
    for (std::size_t i = 0; i < size; ++i) spaces[i] = doc.space(static_cast<int>(i));
    made.push_back(
        Doc::from_words(doc.vocab(), left.first(size), std::span<const bool>(spaces.get(), size)));
    left = left.subspan(size);
  }
  return made;
}

MaskedTexts mask_tokens(const std::vector<Doc>& docs, const RandomWords& random_words,
                        const MaskDraws& draws) {
  const RandomStream random(draws.seed, draws.step, site_hash(draws.site));
  MaskedTexts masked;
  std::vector<std::string> words;
  for (const Doc& doc : docs) {
    for (int i = 0; i < doc.size(); ++i) {
      const std::uint64_t draw = kDraws * words.size();
      const bool is_masked = random.uniform(draw) < kMasked;
      masked.masked.push_back(is_masked ? 1 : 0);
      const float roll = random.uniform(draw + 1);
      if (!is_masked || roll >= kHiddenOrOther) {
        words.emplace_back(doc.word(i));
      } else {
        words.emplace_back(roll < kHidden ? kMask : random_words.at(random.uniform(draw + 2)));
      }
    }
  }
  masked.docs = with_words(docs, words);
  return masked;
}

}  // namespace weft
