// Which documents are predicted together.
#pragma once

#include <cstddef>

namespace weft {

// Cuts a sequence of documents into groups: by their lengths alone, so that a group holds the same
// documents however they come.
class PredictionGroups {
 public:
  // The next document has so many tokens. Whether its group ends with it.
  bool add(std::size_t tokens) {
    tokens_ += tokens;
    if (tokens_ < kTokens) return false;
    tokens_ = 0;
    return true;
  }

 private:
  // Enough rows for the matrix products to be efficient, few enough to stay in the cache.
  static constexpr std::size_t kTokens = 512;
  std::size_t tokens_ = 0;
};

}  // namespace weft
