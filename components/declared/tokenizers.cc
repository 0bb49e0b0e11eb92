// Names of spaCy 3.8 and its libraries of the kind `tokenizers` that are known and not built yet.
#include "components/declared/declare.h"

namespace weft {
namespace {

constexpr std::string_view kNames = R"(
spacy.ja.JapaneseTokenizer
  split_mode str? = null
spacy.ko.KoreanTokenizer
spacy.th.ThaiTokenizer
spacy.vi.VietnameseTokenizer
  use_pyvi bool = true
spacy.zh.ChineseTokenizer
  segmenter any = "char"
)";

const Registration registered([](Catalogue& catalogue) {
  declare(catalogue, "tokenizers", kNames);
});

}  // namespace
}  // namespace weft
