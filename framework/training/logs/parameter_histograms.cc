#include "framework/training/logs/parameter_histograms.h"

#include <algorithm>
#include <span>

#include "framework/pipeline/language.h"
#include "framework/pipeline/trained_parameters.h"
#include "framework/precision/element_type.h"

namespace weft {
namespace {

constexpr std::size_t kBuckets = 30;

std::vector<HistogramBucket> buckets_of(std::span<const float> values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double begin = *least, width = (static_cast<double>(*most) - begin) / kBuckets;
  if (!(width > 0)) return {{begin, *most, static_cast<double>(values.size())}};
  std::vector<HistogramBucket> buckets(kBuckets);
  for (std::size_t i = 0; i < kBuckets; ++i) {
    buckets[i].left = begin + width * static_cast<double>(i);
    buckets[i].right = i + 1 == kBuckets ? *most : begin + width * static_cast<double>(i + 1);
  }
  for (const float value : values) {
    const auto place = static_cast<std::size_t>((value - begin) / width);
    buckets[std::min(place, kBuckets - 1)].count += 1;
  }
  return buckets;
}

}  // namespace

std::vector<ParameterHistogram> parameter_histograms(const LogSetup& setup) {
  std::vector<ParameterHistogram> histograms;
  if (setup.nlp == nullptr) return histograms;
  for (const NamedParameter& named : trained_parameters(*setup.nlp, {})) {
    const auto& trained = setup.loss_names;
    if (std::find(trained.begin(), trained.end(), named.component) == trained.end()) continue;
    if (!named.parameter->value || named.parameter->value.size() == 0) continue;
    const Tensor tensor = cast_to(DType::f32, named.parameter->value);
    const std::span values(tensor.data<float>(), static_cast<std::size_t>(tensor.size()));
    histograms.push_back({named.name, buckets_of(values)});
  }
  return histograms;
}

}  // namespace weft
