// The words per second that the GEMMs of the default entity recognizer would allow if
// they were all there is: 0.958 MFLOP per word forward, three times that in training. In f32 by
// OpenBLAS, which is what shares of the limit refer to, and as weft computes them on this machine.
// One thread; one JSON object for each number of rows.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <vector>

#include "framework/backends/cpu/gemm/blas.h"
#include "framework/backends/cpu/gemm/host_gemm.h"
#include "framework/ops/random.h"
#include "framework/tensor/tensor.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

// A GEMM with a weight: inputs and outputs of each row, and how many layers have it.
struct LayerGemm {
  std::int64_t in, out;
  int layers;
};
// The mixer of four embeddings, four window layers, and the parser's first layer over three
// features, of width 96 with three pieces; the parser has 64 units with two.
constexpr LayerGemm kLayerGemms[] = {{384, 288, 1}, {288, 288, 4}, {96, 384, 1}};

// Numbers as a layer has them: zeros would be multiplied at a higher clock.
Tensor some_numbers(Shape shape) {
  Tensor tensor = Tensor::zeros(shape);
  const RandomStream random(0, 0, 0);
  float* to = tensor.data<float>();
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    to[i] = 0.1F * random.normal(static_cast<std::uint64_t>(i));
  }
  return tensor;
}

struct Arrays {
  Arrays(std::int64_t rows, const LayerGemm& gemm)
      : x(some_numbers({rows, gemm.in})),
        w(some_numbers({gemm.out, gemm.in})),
        y(some_numbers({rows, gemm.out})),
        new_x(some_numbers({rows, gemm.in})),
        new_w(some_numbers({gemm.out, gemm.in})),
        new_y(some_numbers({rows, gemm.out})) {}
  Tensor x, w, y, new_x, new_w, new_y;
};

void by_openblas(const cpu::GemmArgs& p) {
  cpu::sgemm(p.transpose_a, p.transpose_b, p.m, p.n, p.k, p.a, p.lda, p.b, p.ldb, p.beta, p.c,
             p.ldc);
}

using Multiply = void (*)(const cpu::GemmArgs&);

// c = a b with rows of a and columns of b as the arrays lie, or transposed.
cpu::GemmArgs gemm_args(const Tensor& a, bool transpose_a, const Tensor& b, bool transpose_b,
                        Tensor& c, float beta = 0.0F) {
  return {.transpose_a = transpose_a,
          .transpose_b = transpose_b,
          .m = c.dim(0),
          .n = c.dim(1),
          .k = a.dim(transpose_a ? 0 : 1),
          .a = a.data<float>(),
          .lda = a.dim(1),
          .b = b.data<float>(),
          .ldb = b.dim(1),
          .beta = beta,
          .c = c.data<float>(),
          .ldc = c.dim(1)};
}

void forward(Multiply multiply, Arrays& arrays) {
  multiply(gemm_args(arrays.x, false, arrays.w, true, arrays.new_y));
}

void backward(Multiply multiply, Arrays& arrays) {
  multiply(gemm_args(arrays.y, true, arrays.x, false, arrays.new_w, 1.0F));
  multiply(gemm_args(arrays.y, false, arrays.w, false, arrays.new_x));
}

// Seconds of all GEMMs of one batch: the shortest of several tries, so that other work on the
// machine does not lower the limit.
double seconds_of_batch(Multiply multiply, std::int64_t rows, bool trains) {
  std::vector<Arrays> arrays;
  for (const LayerGemm& gemm : kLayerGemms) {
    for (int i = 0; i < gemm.layers; ++i) arrays.emplace_back(rows, gemm);
  }
  const int repeats = static_cast<int>(50'000 / rows);
  double best = 1e9;
  for (int attempt = 0; attempt < 7; ++attempt) {
    const auto start = Clock::now();
    for (int i = 0; i < repeats; ++i) {
      for (Arrays& each : arrays) forward(multiply, each);
      if (trains)
        std::for_each(arrays.rbegin(), arrays.rend(), [&](Arrays& a) { backward(multiply, a); });
    }
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count() / repeats);
  }
  return best;
}

}  // namespace
}  // namespace weft

int main() {
  for (const std::int64_t rows : {100, 250, 500, 750, 1000}) {
    const auto words_per_second = [rows](weft::Multiply multiply, bool trains) {
      return static_cast<double>(rows) / weft::seconds_of_batch(multiply, rows, trains);
    };
    std::cout << "{\"rows\": " << rows
              << ", \"predict\": " << words_per_second(weft::by_openblas, false)
              << ", \"train\": " << words_per_second(weft::by_openblas, true)
              << ", \"predict_here\": " << words_per_second(weft::cpu::multiply, false)
              << ", \"train_here\": " << words_per_second(weft::cpu::multiply, true) << "}\n";
  }
}
