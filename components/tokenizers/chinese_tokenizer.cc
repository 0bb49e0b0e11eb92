#include <memory>
#include <string>

#include <fmt/format.h>

#include "framework/pipeline/setting_error.h"
#include "framework/pipeline/tokenizer_factory.h"
#include "framework/text/printable.h"
#include "framework/text/tokenizer.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  std::string segmenter = "char";
};

template <class V>
void fields(V& v, Settings& c) {
  v("segmenter", c.segmenter, "char: each character is a token; jieba and pkuseg are not built in");
}

TokenizerFactory chinese_tokenizer(const Settings& c) {
  return {.make = [segmenter = c.segmenter](std::string_view) -> std::shared_ptr<const Tokenizer> {
    if (segmenter == "char") return std::make_shared<Tokenizer>(character_rules());
    throw setting_error(
        "nlp.tokenizer.segmenter",
        fmt::format("\"{}\" is a Python package; only \"char\" is built in, and documents with "
                    "words of their own (.conllu, .spacy) need no other",
                    printable(segmenter)));
  }};
}

const Registration registered{"spacy.zh.ChineseTokenizer", chinese_tokenizer,
                              "Chinese text cut into characters"};

}  // namespace
}  // namespace weft
