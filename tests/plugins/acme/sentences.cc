// A component that annotates and learns nothing: a sentence ends behind its punctuation.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "framework/pipeline/component.h"
#include "framework/text/doc.h"
#include "registry/functions/registration.h"

namespace acme {
namespace {

struct SentencesSettings {
  std::optional<std::vector<std::string>> punct_chars;
  bool overwrite = false;
};

template <class V>
void fields(V& v, SentencesSettings& c) {
  v("punct_chars", c.punct_chars, "words that end a sentence; null: . ! and ?");
  v("overwrite", c.overwrite, "cut documents that have sentences too");
}

class Sentences final : public weft::Component {
 public:
  explicit Sentences(const SentencesSettings& settings)
      : ends_(settings.punct_chars.value_or(std::vector<std::string>{".", "!", "?"})),
        overwrite_(settings.overwrite) {}

  void initialize(weft::InitContext&) override {}

  void predict(weft::Context&, std::span<weft::Doc* const> docs, weft::Slots&) const override {
    for (weft::Doc* doc : docs) {
      if (overwrite_ || !doc->has_sents()) cut(*doc);
    }
  }

 private:
  void cut(weft::Doc& doc) const {
    std::vector<std::int8_t> starts;
    bool ended = true;
    for (int i = 0; i < doc.size(); ++i) {
      starts.push_back(ended ? 1 : -1);
      ended = std::find(ends_.begin(), ends_.end(), doc.word(i)) != ends_.end();
    }
    doc.set_sent_starts(std::move(starts));
  }

  std::vector<std::string> ends_;
  bool overwrite_;
};

weft::ComponentPtr sentences(const SentencesSettings& settings) {
  return std::make_shared<Sentences>(settings);
}

const weft::Registration registered =
    weft::Registration{"acme.sentences", sentences, "ends sentences behind punctuation"}.meta(
        R"({"assigns": ["token.is_sent_start", "doc.sents"]})");

}  // namespace
}  // namespace acme
