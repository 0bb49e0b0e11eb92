// Makes changed copies of examples while a corpus is read. Named by `@augmenters`.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "framework/ops/random.h"
#include "framework/pipeline/component.h"
#include "registry/base/export.h"
#include "registry/functions/type.h"

namespace weft {

class Language;

// The random numbers of one example, one after the other.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t example) : stream_(seed, example, kSite) {}
  double uniform() { return stream_.uniform(next_++ * 4); }
  // A number in [0, bound), bound > 0.
  std::size_t below(std::size_t bound) { return stream_.below(next_++, bound); }

 private:
  static constexpr std::uint64_t kSite = site_hash("augmenter");
  RandomStream stream_;
  std::uint64_t next_ = 0;
};

struct Augmenter {
  // The example that replaces an example. The language gives the tokenizer.
  std::function<ExamplePtr(const Language&, const ExamplePtr&, Draws&)> augment = {};
  // The same where one becomes several, or none; asked in its place where it is there.
  std::function<std::vector<ExamplePtr>(const Language&, const ExamplePtr&, Draws&)> augment_all =
      {};
};

// The examples as the augmenter changes them. The change of an example depends on its number and on
// [training] seed of the pipeline's config, so that every reading of a corpus gives the same.
WEFT_API ExampleStreamPtr augmented(ExampleStreamPtr examples, const Language& nlp,
                                    Augmenter augmenter);

template <>
struct ProductTraits<Augmenter> {
  static constexpr std::string_view kind = "augmenters", name = "augmenter";
  static constexpr bool callable = true;
};

}  // namespace weft
