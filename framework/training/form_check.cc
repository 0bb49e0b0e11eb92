#include "framework/training/form_check.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace weft {

void FormCheck::add(const PlacedDoc& placed, const AnnotationKind& kind) {
  const std::string* file = nullptr;
  kind.for_each_form(placed.doc, [&](int token, const std::string& label) {
    std::vector<Use>& uses = words_[std::string(placed.doc.word(token))];
    auto use = std::find_if(uses.begin(), uses.end(),
                            [&](const Use& known) { return known.label == label; });
    if (use == uses.end()) {
      if (file == nullptr) file = &*files_.insert(placed.file).first;
      const auto [start, end] = placed.doc.span_chars(token, token + 1);
      uses.push_back({label, 0, file, placed.line, placed.document,
                      static_cast<std::int64_t>(start), static_cast<std::int64_t>(end)});
      use = uses.end() - 1;
    }
    ++use->times;
  });
}

void FormCheck::finish(const AnnotationKind& kind, const DataSink& tell) const {
  const std::map<std::string, std::vector<Use>> sorted(words_.begin(), words_.end());
  for (const auto& [word, uses] : sorted) {
    std::int64_t all = 0;
    const Use* most = uses.data();
    for (const Use& use : uses) {
      all += use.times;
      if (use.times > most->times) most = &use;
    }
    if (all < kOften || most->times < all / 2) continue;
    for (const Use& use : uses) {
      if (use.times != 1) continue;
      tell({.fault = DataFault::inconsistent_label,
            .corpus = {},
            .file = *use.file,
            .line = use.line,
            .document = use.document,
            .start = use.start,
            .end = use.end,
            .label = use.label,
            .text = word,
            .message = fmt::format("the only \"{}\" of {} with this one among its {}; {} have {}",
                                   word, all, kind.names().things, most->times, most->label),
            .repair = "correct it if it is a mistake"});
    }
  }
}

}  // namespace weft
