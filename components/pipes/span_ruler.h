// Spans that patterns find, as a span group or as entities.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "components/pipes/ruler_component.h"
#include "framework/text/span_filter.h"
#include "registry/base/export.h"

namespace weft {

struct SpanRulerSettings {
  std::optional<std::string> spans_key;    // nothing: no group is written
  std::optional<SpanFilter> spans_filter;  // nothing: all spans
  bool annotate_ents = false;
  std::optional<SpanFilter> ents_filter;
  std::optional<std::string> phrase_matcher_attr;
  bool validate = false;
  bool overwrite = true;
  Scorer scorer;
};

class WEFT_API SpanRuler final : public RulerComponent {
 public:
  explicit SpanRuler(SpanRulerSettings settings)
      : RulerComponent(settings.phrase_matcher_attr, settings.validate, settings.scorer),
        settings_(std::move(settings)) {}

  void to_disk(const std::filesystem::path& folder) const override;
  void from_disk(const std::filesystem::path& folder) override;

 protected:
  void annotate(Doc& doc, std::vector<Span> found) const override;

 private:
  SpanRulerSettings settings_;
};

}  // namespace weft
