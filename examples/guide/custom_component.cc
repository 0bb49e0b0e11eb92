// A component that learns nothing: words that begin with a capital, as a group of spans.
#include <memory>
#include <span>

#include "framework/pipeline/component.h"
#include "framework/text/doc.h"
#include "registry/functions/registration.h"

namespace guide {
namespace {

struct ComponentSettings {
  bool your_custom_setting = false;
};

template <class V>
void fields(V& v, ComponentSettings& c) {
  v("your_custom_setting", c.your_custom_setting, "the first word of a sentence counts too");
}

class Capitals final : public weft::Component {
 public:
  explicit Capitals(const ComponentSettings& settings)
      : with_first_(settings.your_custom_setting) {}

  void initialize(weft::InitContext&) override {}

  // Sentences are those of the components before it.
  void predict(weft::Context&, std::span<weft::Doc* const> docs, weft::Slots&) const override {
    for (weft::Doc* doc : docs) {
      weft::SpanGroup group{.name = "capitals"};
      for (int i = 0; i < doc->size(); ++i) {
        const bool is_first = doc->sent_starts()[static_cast<std::size_t>(i)] == 1;
        if (!doc->has_flag(i, weft::Attr::is_title) || (is_first && !with_first_)) continue;
        group.spans.push_back({i, i + 1});
      }
      doc->set_span_group("capitals", std::move(group));
    }
  }

 private:
  bool with_first_;
};

weft::ComponentPtr capitals(const ComponentSettings& settings) {
  return std::make_shared<Capitals>(settings);
}

const weft::Registration registered =
    weft::Registration{"your_custom_factory", capitals, "words that begin with a capital"}.meta(
        R"({"assigns": ["doc.spans"]})");

}  // namespace
}  // namespace guide
