#include "framework/parser/entity_facts.h"

#include <algorithm>

namespace weft {

void EntityFacts::add(const Doc& doc, const std::vector<std::string>& labels) {
  presence_.add(labels);
  const auto iobs = doc.ent_iobs();
  unknown_ += iobs.empty() ? doc.size() : std::ranges::count(iobs, Iob::missing);
}

Object EntityFacts::summary(const Beside&) const {
  Object numbers;
  numbers.set("tokens_without_annotation", unknown_);
  return numbers;
}

void EntityFacts::finish(const Beside& beside, const DataSink& tell) const {
  if (beside.train == nullptr) presence_.finish(kind_.names().things, beside.rare, tell);
}

}  // namespace weft
