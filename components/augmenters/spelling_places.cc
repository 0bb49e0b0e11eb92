#include "components/augmenters/spelling_places.h"

#include <algorithm>

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::size_t kMostPlaces = std::size_t{1} << 20;

}  // namespace

void SpellingPlaces::add(const std::string& tag, const std::string& word, SpellingPlace place) {
  std::vector<SpellingPlace>& known = places_[tag][word];
  if (!known.empty() && known.back().entry == place.entry) {
    known.back() = place;
    return;
  }
  if (++count_ > kMostPlaces) {
    throw Error(ErrorKind::config,
                fmt::format("orth_variants: entries have more than {} spellings, each counted once "
                            "for every tag of its entry",
                            kMostPlaces));
  }
  known.push_back(place);
}

const SpellingPlace* SpellingPlaces::next(const std::string& tag, const std::string& word,
                                          std::size_t from) const {
  const auto of_tag = places_.find(tag);
  if (of_tag == places_.end()) return nullptr;
  const auto known = of_tag->second.find(word);
  if (known == of_tag->second.end()) return nullptr;
  const auto found = std::lower_bound(
      known->second.begin(), known->second.end(), from,
      [](const SpellingPlace& place, std::size_t entry) { return place.entry < entry; });
  return found == known->second.end() ? nullptr : &*found;
}

}  // namespace weft
