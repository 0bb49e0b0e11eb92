// The factory `merge_noun_chunks`: every base noun phrase becomes one token. spaCy 3.8.
#include <memory>
#include <utility>
#include <vector>

#include "components/pipes/stateless_component.h"
#include "framework/text/merge_tokens.h"
#include "framework/text/noun_chunks.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

class MergeNounChunks final : public StatelessComponent {
 protected:
  void change(Doc& doc) const override {
    std::vector<Span> chunks = chunks_of(doc);
    for (Span& chunk : chunks) chunk.label = 0;  // entity types stay
    merge_tokens(doc, std::move(chunks));
  }

 private:
  std::vector<Span> chunks_of(const Doc& doc) const {
    try {
      return noun_chunks(doc);
    } catch (const Error& error) {
      throw Error(error.kind(), name() + ": " + error.message());
    }
  }
};

ComponentPtr merge_noun_chunks() {
  return std::make_shared<MergeNounChunks>();
}

const Registration registered =
    Registration{"merge_noun_chunks", merge_noun_chunks, "noun phrases as single tokens"}.meta(
        R"({"requires": ["token.dep", "token.tag", "token.pos"], "retokenizes": true})");

}  // namespace
}  // namespace weft
