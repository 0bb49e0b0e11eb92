// Which documents are predicted together.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "framework/pipeline/predicted_values.h"
#include "framework/tensor/device.h"
#include "registry/base/export.h"

namespace weft {

class Doc;

// Cuts a sequence of documents into groups: by their lengths alone, so that a group holds the same
// documents however they come.
class PredictionGroups {
 public:
  // `values`: those that documents get.
  explicit PredictionGroups(const Device& device = {}, const PredictedValues& values = {})
      : most_(device.kind == DeviceKind::cpu ? kTokens : kDeviceTokens), values_(values) {}

  // The next document has so many tokens. Whether its group ends with it.
  bool add(std::size_t tokens) {
    tokens_ += prediction_weight(tokens, values_);
    if (tokens_ < most_) return false;
    tokens_ = 0;
    return true;
  }

 private:
  // Enough rows for the GEMMs to be efficient, few enough to stay in the cache.
  static constexpr std::size_t kTokens = 512;
  // Enough to fill a large device.
  static constexpr std::size_t kDeviceTokens = 32768;
  std::size_t most_;
  PredictedValues values_;
  std::size_t tokens_ = 0;
};

// The groups of these documents, in their order.
WEFT_API std::vector<std::span<Doc* const>> prediction_groups(std::span<Doc* const> docs,
                                                              const Device& device,
                                                              const PredictedValues& values);

// Gives the memory back that predictions keep for the next ones. Gives how many bytes of arrays it
// held. By any thread.
WEFT_API std::size_t release_prediction_memory();

}  // namespace weft
