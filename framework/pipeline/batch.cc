#include "framework/pipeline/batch.h"

#include <algorithm>
#include <numeric>

namespace weft {
namespace {

// A batch worth two threads is cut in two. More and smaller shards would repeat what shards do
// alike, such as the word types that they have in common: the threads that have none take parts of
// the others' layers instead.
constexpr std::size_t kTokensOfTwo = 384;
constexpr std::size_t kTokensPerShard = 512;
constexpr std::size_t kMostShards = 8;
// Rows between documents that the layers of an encoder of four layers compute on average. Batches
// are sorted by length: the shard of the short documents has most of them.
constexpr std::size_t kPadding = 3;

// From two on the power of two nearest to tokens / kTokensPerShard on a logarithmic scale, cheaply:
// doubled while the shards would stay above three quarters of their size.
std::size_t count_for(std::size_t tokens, std::size_t documents) {
  const std::size_t most = std::min(kMostShards, documents);
  if (tokens < kTokensOfTwo || most < 2) return 1;
  std::size_t count = 2;
  while (2 * count <= most && 4 * tokens >= 3 * kTokensPerShard * 2 * count) count *= 2;
  return count;
}

}  // namespace

std::vector<Shard> cut_into_shards(std::span<const std::size_t> lengths, std::size_t least) {
  const std::size_t tokens = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  const std::size_t rows = tokens + kPadding * lengths.size();
  const std::size_t count =
      std::max(count_for(tokens, lengths.size()), std::min(least, lengths.size()));
  std::vector<Shard> shards;
  std::size_t begin = 0;
  std::size_t before = 0;  // rows of the documents already given out
  for (std::size_t i = 0; i < count && begin < lengths.size(); ++i) {
    const std::size_t must_leave = count - i - 1;  // one document for each shard to come
    std::size_t end = begin;
    do {
      before += lengths[end++] + kPadding;
      // The next one only if more than half of it still belongs here.
    } while (end < lengths.size() - must_leave &&
             (2 * before + lengths[end] + kPadding) * count < 2 * rows * (i + 1));
    if (i + 1 == count) end = lengths.size();
    shards.push_back({begin, end});
    begin = end;
  }
  return shards;
}

const std::any& Batch::kept(const Component& component, std::size_t shard) const {
  static const std::any& nothing = *new std::any{};
  const auto found = kept_by_component.find(&component);
  return found == kept_by_component.end() ? nothing : found->second.at(shard);
}

}  // namespace weft
