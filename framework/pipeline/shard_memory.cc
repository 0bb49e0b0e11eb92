#include "framework/pipeline/shard_memory.h"

#include <numeric>

namespace weft {
namespace {

// Each has gradients of its own, which the budget counts for so many.
constexpr std::size_t kMostAtOnce = 8;

std::size_t tokens_of(const Shard& shard, std::span<const std::size_t> lengths) {
  const auto part = lengths.subspan(shard.begin, shard.end - shard.begin);
  return std::accumulate(part.begin(), part.end(), std::size_t{0});
}

void cut(const Shard& shard, const ShardBytes& bytes, std::vector<Shard>& cuts) {
  const auto halves =
      bytes.of(shard) > bytes.limit ? halves_of(shard, bytes.lengths) : std::nullopt;
  if (!halves) {
    cuts.push_back(shard);
    return;
  }
  cut(halves->first, bytes, cuts);
  cut(halves->second, bytes, cuts);
}

}  // namespace

double ShardBytes::of(const Shard& shard) const {
  return each.of(lengths.subspan(shard.begin, shard.end - shard.begin));
}

std::vector<Shard> cut_to_fit(std::span<const Shard> shards, const ShardBytes& bytes) {
  if (bytes.limit <= 0.0) return {shards.begin(), shards.end()};
  std::vector<Shard> cuts;
  for (const Shard& shard : shards) cut(shard, bytes, cuts);
  return cuts;
}

std::size_t end_of_wave(std::span<const Shard> shards, std::size_t begin, const ShardBytes& bytes) {
  if (bytes.limit <= 0.0) return shards.size();
  double sum = bytes.of(shards[begin]);
  std::size_t end = begin + 1;
  while (end < shards.size() && end - begin < kMostAtOnce) {
    sum += bytes.of(shards[end]);
    if (sum > bytes.limit) break;
    ++end;
  }
  return end;
}

std::optional<std::pair<Shard, Shard>> halves_of(const Shard& shard,
                                                 std::span<const std::size_t> lengths) {
  if (shard.end - shard.begin < 2) return std::nullopt;
  const std::size_t half = tokens_of(shard, lengths) / 2;
  std::size_t middle = shard.begin;
  std::size_t before = 0;
  do {
    before += lengths[middle++];
  } while (middle + 1 < shard.end && before + lengths[middle] / 2 < half);
  return std::pair(Shard{shard.begin, middle}, Shard{middle, shard.end});
}

}  // namespace weft
