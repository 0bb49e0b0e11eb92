#include "components/pipes/category_facts.h"

namespace weft {
namespace {

constexpr DataFault kExclusiveCategories{"exclusive_categories"};

}  // namespace

void CategoryFacts::add(const Doc& doc, const std::vector<std::string>& labels) {
  if (doc.cats().empty()) return;
  ++(labels.size() == 1 ? one_ : others_);
}

Object CategoryFacts::summary(const Beside&) const {
  Object numbers;
  numbers.set("documents_of_one_category", one_);
  numbers.set("documents_of_none_or_several", others_);
  return numbers;
}

void CategoryFacts::finish(const Beside& beside, const DataSink& tell) const {
  const auto say = [&](const char* message, const char* repair) {
    tell({.fault = kExclusiveCategories, .corpus = {}, .message = message, .repair = repair});
  };
  const auto* train = static_cast<const CategoryFacts*>(beside.train);
  const bool excludes = others_ == 0;
  if (one_ + others_ == 0 || (train != nullptr && train->one_ + train->others_ == 0)) return;
  if (train == nullptr) {
    if (excludes) {
      say("each document has exactly one category",
          "take textcat if that is so by their meaning; else annotate all that a text has");
    }
  } else if (excludes != (train->others_ == 0)) {
    say(excludes ? "each document has exactly one category, and others of the training data have "
                   "none or several"
                 : "some documents have no category or several, and each of the training data has "
                   "exactly one",
        "annotate both alike");
  }
}

}  // namespace weft
