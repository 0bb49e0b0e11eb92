// The words per second that the matrix products of the default entity recognizer would allow if
// they were all there is: 0.958 MFLOP per word forward, three times that in training. One thread;
// one JSON object for each number of rows.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <vector>

#include "framework/ops/context.h"
#include "framework/ops/gemm.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

// A product with a weight: inputs and outputs of each row, and how many layers have it.
struct Product {
  std::int64_t in, out;
  int layers;
};
// The mixer of four embeddings, four window layers, and the parser's first layer over three
// features, of width 96 with three pieces; the parser has 64 units with two.
constexpr Product kProducts[] = {{384, 288, 1}, {288, 288, 4}, {96, 384, 1}};

struct Arrays {
  Arrays(std::int64_t rows, const Product& product)
      : x(Tensor::zeros({rows, product.in})),
        w(Tensor::zeros({product.out, product.in})),
        y(Tensor::zeros({rows, product.out})) {}
  Tensor x, w, y;
};

void forward(Context& ctx, Arrays& arrays) {
  ctx.run<Gemm>(arrays.x, Transpose::no, arrays.w, Transpose::yes, arrays.y.view(), 0.0F);
}

void backward(Context& ctx, Arrays& arrays) {
  ctx.run<Gemm>(arrays.y, Transpose::yes, arrays.x, Transpose::no, arrays.w.view(), 1.0F);
  ctx.run<Gemm>(arrays.y, Transpose::no, arrays.w, Transpose::no, arrays.x.view(), 0.0F);
}

// Seconds of all products of one batch: the shortest of several tries, so that other work on the
// machine does not lower the limit.
double seconds_of_batch(std::int64_t rows, bool trains) {
  Context ctx;
  std::vector<Arrays> arrays;
  for (const Product& product : kProducts) {
    for (int i = 0; i < product.layers; ++i) arrays.emplace_back(rows, product);
  }
  const int repeats = static_cast<int>(50'000 / rows);
  double best = 1e9;
  for (int attempt = 0; attempt < 7; ++attempt) {
    const auto start = Clock::now();
    for (int i = 0; i < repeats; ++i) {
      for (Arrays& each : arrays) forward(ctx, each);
      if (trains)
        std::for_each(arrays.rbegin(), arrays.rend(), [&](Arrays& a) { backward(ctx, a); });
    }
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count() / repeats);
  }
  return best;
}

}  // namespace
}  // namespace weft

int main() {
  for (const std::int64_t rows : {100, 250, 500, 750, 1000}) {
    const auto words_per_second = [rows](bool trains) {
      return static_cast<double>(rows) / weft::seconds_of_batch(rows, trains);
    };
    std::cout << "{\"rows\": " << rows << ", \"predict\": " << words_per_second(false)
              << ", \"train\": " << words_per_second(true) << "}\n";
  }
}
