// Where dropout takes its masks from: drawn by counter, or replayed by a runner that recorded them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "framework/ops/random.h"
#include "framework/tensor/view.h"
#include "registry/base/export.h"

namespace weft {

// Decides which elements dropout keeps. Masks that are random draws alone are filled by an op; the
// others on the host.
class WEFT_API MaskSource {
 public:
  virtual ~MaskSource() = default;
  // Fills `mask` (f32, any shape) with 0 where `rate` drops and 1/(1-rate) where it keeps. `site`
  // names the layer ("tok2vec/36/dropout"); `offset` is the number of elements that the shards
  // before this one have at this site, so that a mask does not depend on how a batch was cut.
  virtual void fill(std::string_view site, std::int64_t offset, double rate, View mask) = 0;
  // A mask (rows, width) of which row i starts at element `offsets[i]` of the site. By default the
  // mask is filled as a whole, from element 0 on: for sources that know a batch in one piece.
  virtual void fill_rows(std::string_view site, std::span<const std::int64_t> offsets, double rate,
                         View mask);
  // The draws of a site, for the ops that fill masks of them (DropoutMask, DropoutMaskRows).
  virtual std::optional<RandomStream> draws(std::string_view) const { return std::nullopt; }
};

// Masks from counter-based random numbers.
class WEFT_API CounterMasks final : public MaskSource {
 public:
  CounterMasks(std::uint64_t seed, std::uint64_t step) : seed_(seed), step_(step) {}
  void fill(std::string_view site, std::int64_t offset, double rate, View mask) override;
  std::optional<RandomStream> draws(std::string_view site) const override {
    return RandomStream(seed_, step_, site_hash(site));
  }

 private:
  std::uint64_t seed_;
  std::uint64_t step_;
};

}  // namespace weft
