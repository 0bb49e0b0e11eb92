#include <algorithm>

#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"
#include "framework/backends/cuda/product.h"
#include "framework/ops/gemm.h"
#include "framework/ops/product_format.h"

namespace weft::cuda {
namespace {

// Long inner dimensions (the tokens of a batch, for gradients of weights) are summed in chunks of
// this many, so that a small result occupies the whole device; the chunks are added in their order.
constexpr std::int64_t kInnerChunk = 256;
constexpr std::int64_t kMostChunks = 64;
constexpr std::int64_t kMostPartial = std::int64_t{1} << 24;  // numbers that the sums take

struct Rounded {
  Floats from, bias, to;
  bool has_bias;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j) const {
    to.store(i, j, from.load(i, j) + (has_bias ? bias.load(0, j) : 0.0F));
  }
};

struct Converted {
  Floats from, to;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j) const {
    to.store(i, j, from.load(i, j));
  }
};

// A matrix of f32 numbers in the scratch memory of the stream.
class WideMatrix {
 public:
  WideMatrix(DeviceStream& stream, std::int64_t rows, std::int64_t columns)
      : numbers_(stream, rows * columns), view_(numbers_.data(), DType::f32, {rows, columns}) {}
  View view() const { return view_; }

 private:
  Scratch<float> numbers_;
  View view_;
};

void convert(DeviceStream& stream, ConstView from, View to) {
  launch_matrix(stream, to.rows(), to.cols(), Converted{floats(from), floats(to)});
}

void run_directly(DeviceStream& stream, const Product& product) {
  if (!product_by_library(stream, product)) product_by_tiles(stream, product);
}

// The library wants inputs of one type, a result of that type or in f32, and a bias of the type of
// the result. What is different passes through f32 and is rounded once.
void run_typed(DeviceStream& stream, const Product& product) {
  const DType type = product.a.dtype;
  const bool same_inputs = type == product.b.dtype;
  const bool plain_result = product.c.dtype == DType::f32 || product.c.dtype == type;
  const bool plain_bias = product.bias.size() == 0 || product.bias.dtype == product.c.dtype;
  if (same_inputs && plain_result && plain_bias) return run_directly(stream, product);
  if (!same_inputs) {
    const bool narrow_a = product.a.dtype != DType::f32;
    const ConstView narrow = narrow_a ? product.a : product.b;
    const WideMatrix wide(stream, narrow.rows(), narrow.cols());
    convert(stream, narrow, wide.view());
    Product same = product;
    (narrow_a ? same.a : same.b) = wide.view();
    return run_typed(stream, same);
  }
  const WideMatrix wide(stream, product.c.rows(), product.c.cols());
  if (product.beta != 0.0F) convert(stream, product.c, wide.view());
  Product in_f32 = product;
  in_f32.c = wide.view();
  in_f32.bias = {};
  run_directly(stream, in_f32);
  const bool has_bias = product.bias.size() > 0;
  const Floats bias = has_bias ? floats(product.bias) : Floats();
  launch_matrix(stream, product.c.rows(), product.c.cols(),
                Rounded{floats(wide.view()), bias, floats(product.c), has_bias});
}

struct AddChunks {
  const float* sums;  // (chunks, rows, columns)
  std::int64_t chunks, size, columns;
  Floats to;
  float beta;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j) const {
    float sum = 0.0F;
    for (std::int64_t c = 0; c < chunks; ++c) sum += sums[c * size + i * columns + j];
    to.store(i, j, beta == 0.0F ? sum : beta * to.load(i, j) + sum);
  }
};

// c += a^T b over the rows of a and b, in chunks of them.
void run_in_chunks(DeviceStream& stream, const Product& product) {
  const std::int64_t rows = product.inner(), size = product.c.size();
  const std::int64_t most = std::clamp<std::int64_t>(kMostPartial / size, 1, kMostChunks);
  const std::int64_t length = divide_up(rows, most * kInnerChunk) * kInnerChunk;
  const std::int64_t whole = rows / length, rest = rows - whole * length;
  const std::int64_t chunks = whole + (rest > 0 ? 1 : 0);
  const WideMatrix sums(stream, chunks, size);
  const Shape shape{product.c.rows(), product.c.cols()};
  const auto chunk = [&](std::int64_t first, std::int64_t count) {
    Product part = product;
    part.a = product.a.slice(first, count);
    part.b = product.b.slice(first, count);
    part.c = View(sums.view().row<float>(first / length), DType::f32, shape);
    part.beta = 0.0F;
    return part;
  };
  Product all = chunk(0, length);
  all.batches = whole;
  all.a_step = length * product.a.row_stride();
  all.b_step = length * product.b.row_stride();
  all.c_step = size;
  run_directly(stream, all);
  if (rest > 0) run_directly(stream, chunk(whole * length, rest));
  launch_matrix(
      stream, shape[0], shape[1],
      AddChunks{sums.view().as<float>(), chunks, size, shape[1], floats(product.c), product.beta});
}

}  // namespace

void run_product(DeviceStream& stream, const Product& product) {
  if (product.c.size() == 0) return;
  const bool splits = product.transpose_a && !product.transpose_b && product.bias.size() == 0 &&
                      product.a.dtype == product.b.dtype && product.inner() > kInnerChunk &&
                      product.c.size() <= kMostPartial / 2;
  splits ? run_in_chunks(stream, product) : run_typed(stream, product);
}

namespace {

Product product_of(ConstView a, ConstView b, View c) {
  Product product;
  product.a = a;
  product.b = b;
  product.c = c;
  product.tf32 = product_inputs() == NumberFormat::tf32;
  return product;
}

void gemm(Stream& stream, ConstView a, Transpose transpose_a, ConstView b, Transpose transpose_b,
          View c, float beta) {
  Product product = product_of(a, b, c);
  product.transpose_a = transpose_a == Transpose::yes;
  product.transpose_b = transpose_b == Transpose::yes;
  product.beta = beta;
  run_product(device_stream(stream), product);
}

void affine(Stream& stream, ConstView x, ConstView w, ConstView b, View y) {
  Product product = product_of(x, w, y);
  product.transpose_b = true;
  product.bias = b;
  run_product(device_stream(stream), product);
}

const KernelRegistration<Gemm> gemm_kernel{DeviceKind::cuda, gemm, KernelFormats::any};
const KernelRegistration<Affine> affine_kernel{DeviceKind::cuda, affine, KernelFormats::any};

}  // namespace
}  // namespace weft::cuda
