#include "framework/training/form_check.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace weft {

// Nearly all words have a few labels, which are looked through sooner than a table.
FormCheck::Use* FormCheck::Uses::find(const std::string& label) {
  if (places.empty()) {
    const auto use = std::find_if(list.begin(), list.end(),
                                  [&](const Use& known) { return known.label == label; });
    return use == list.end() ? nullptr : &*use;
  }
  const auto place = places.find(label);
  return place == places.end() ? nullptr : &list[place->second];
}

void FormCheck::Uses::add(Use use) {
  constexpr std::size_t kMany = 32;
  list.push_back(std::move(use));
  if (list.size() < kMany) return;
  for (std::size_t i = places.size(); i < list.size(); ++i) places.emplace(list[i].label, i);
}

void FormCheck::add(const PlacedDoc& placed, const AnnotationKind& kind) {
  const std::string* file = nullptr;
  kind.for_each_form(placed.doc, [&](int token, const std::string& label) {
    Uses& uses = words_[std::string(placed.doc.word(token))];
    Use* use = uses.find(label);
    if (use == nullptr) {
      if (file == nullptr) file = &*files_.insert(placed.file).first;
      const auto [start, end] = placed.doc.span_chars(token, token + 1);
      uses.add({label, 0, file, placed.line, placed.document, static_cast<std::int64_t>(start),
                static_cast<std::int64_t>(end)});
      use = &uses.list.back();
    }
    ++use->times;
  });
}

void FormCheck::finish(const AnnotationKind& kind, const DataSink& tell) const {
  std::map<std::string_view, const std::vector<Use>*> sorted;
  for (const auto& [word, uses] : words_) sorted.emplace(word, &uses.list);
  for (const auto& [word, uses] : sorted) {
    std::int64_t all = 0;
    const Use* most = uses->data();
    for (const Use& use : *uses) {
      all += use.times;
      if (use.times > most->times) most = &use;
    }
    if (all < kOften || most->times < all / 2) continue;
    for (const Use& use : *uses) {
      if (use.times != 1) continue;
      tell({.fault = DataFault::inconsistent_label,
            .corpus = {},
            .file = *use.file,
            .line = use.line,
            .document = use.document,
            .start = use.start,
            .end = use.end,
            .label = use.label,
            .text = std::string(word),
            .message = fmt::format("the only \"{}\" of {} with this one among its {}; {} have {}",
                                   word, all, kind.names().things, most->times, most->label),
            .repair = "correct it if it is a mistake"});
    }
  }
}

}  // namespace weft
