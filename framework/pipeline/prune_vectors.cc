#include "framework/pipeline/prune_vectors.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "framework/ops/context.h"
#include "framework/ops/gemm.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::int64_t kMostSimilarities = std::int64_t{1} << 24;  // computed at a time
constexpr std::int64_t kMostRows = 1024;

// The rows of the keys, each scaled to length 1; rows of zeros stay.
Tensor scaled_rows(const Tensor& table, std::span<const Vectors::KeyRow> keys) {
  const std::int64_t width = table.dim(1);
  Tensor result = Tensor::zeros({static_cast<std::int64_t>(keys.size()), width});
  const auto* from = table.data<float>();
  auto* to = result.data<float>();
  for (const auto& [key, row] : keys) {
    const float* const numbers = from + row * width;
    float squares = 0;
    for (std::int64_t i = 0; i < width; ++i) squares += numbers[i] * numbers[i];
    const float length = squares == 0 ? 1.0F : std::sqrt(squares);
    for (std::int64_t i = 0; i < width; ++i) *to++ = numbers[i] / length;
  }
  return result;
}

std::int32_t last_largest(const float* numbers, std::int64_t count) {
  std::int64_t best = 0;
  for (std::int64_t i = 1; i < count; ++i) {
    if (numbers[i] >= numbers[best]) best = i;
  }
  return static_cast<std::int32_t>(best);
}

// Gives each of `words` the place in `kept` whose vector is most similar.
void place_words(const Tensor& table, std::span<Vectors::KeyRow> words, const Tensor& kept) {
  const std::int64_t count = kept.dim(0);
  const auto step =
      static_cast<std::size_t>(std::clamp<std::int64_t>(kMostSimilarities / count, 1, kMostRows));
  for (std::size_t begin = 0; begin < words.size(); begin += step) {
    const auto batch = words.subspan(begin, std::min(step, words.size() - begin));
    const Tensor rows = scaled_rows(table, batch);
    Tensor similarity = Tensor::zeros({rows.dim(0), count});
    Context ctx;
    ctx.run<Gemm>(rows, Transpose::no, kept, Transpose::yes, similarity.view(), 0.0F);
    const auto* numbers = similarity.data<float>();
    for (auto& word : batch) {
      word.second = last_largest(numbers, count);
      numbers += count;
    }
  }
}

}  // namespace

Vectors prune_vectors(const Vectors& vectors, std::int64_t count) {
  if (vectors.mode() == Vectors::Mode::floret) {
    throw Error(ErrorKind::usage,
                "floret vectors cannot be pruned: every row is part of many words");
  }
  if (vectors.keys().empty()) return vectors;
  std::vector<Vectors::KeyRow> keys = vectors.keys();
  std::ranges::sort(keys, [](const auto& a, const auto& b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  });
  const std::span all(keys);
  const auto kept = all.first(static_cast<std::size_t>(
      std::min<std::int64_t>(count, static_cast<std::int64_t>(keys.size()))));
  const auto others = all.subspan(kept.size());
  if (!others.empty()) place_words(vectors.table(), others, scaled_rows(vectors.table(), kept));
  const std::int64_t width = vectors.width();
  Tensor table = Tensor::zeros({static_cast<std::int64_t>(kept.size()), width});
  auto* to = table.data<float>();
  std::int32_t next = 0;
  for (auto& [key, row] : kept) {
    to = std::copy_n(vectors.table().data<float>() + row * width, width, to);
    row = next++;
  }
  return {std::move(table), std::move(keys), vectors.attr()};
}

}  // namespace weft
