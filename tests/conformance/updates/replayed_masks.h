// The dropout masks of a recorded update, in the place of those that would be drawn.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/io/safetensors.h"
#include "framework/ops/mask_source.h"

namespace weft::conformance {

struct MaskRecord {
  std::string site;  // "tok2vec/36/dropout", "state"
  double rate = 0;
  std::string tensor;  // its name in the .safetensors file
};

// Gives the masks of a record, by the name of their site. Both arguments outlive it.
class ReplayedMasks final : public MaskSource {
 public:
  ReplayedMasks(const std::vector<MaskRecord>& masks, const SafeTensors& tensors)
      : masks_(masks), tensors_(tensors) {}

  // From now on a row that is asked for again is the one that it was, as beam updates want it.
  void repeat_rows() { repeats_ = true; }

  // Throws std::runtime_error where the record has none of that size and rate.
  void fill(std::string_view site, std::int64_t offset, double rate, View mask) override;
  void fill_rows(std::string_view site, std::span<const std::int64_t> offsets, double rate,
                 View mask) override;

 private:
  const MaskRecord& find(std::string_view site) const;
  // The row of the record for the next row of a site, which begins at that offset.
  std::int64_t row_of(const std::string& site, std::int64_t offset);
  static void copy(const Tensor& kept, std::int64_t from, double rate, View mask);

  const std::vector<MaskRecord>& masks_;
  const SafeTensors& tensors_;
  bool repeats_ = false;
  // Of sites whose rows are asked for: how many were, and by their offsets which they are.
  std::map<std::string, std::int64_t> filled_;
  std::map<std::string, std::map<std::int64_t, std::int64_t>> rows_;
};

}  // namespace weft::conformance
