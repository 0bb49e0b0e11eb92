#include "framework/backends/cuda/device_gemm.h"
#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"

namespace weft::cuda {
namespace {

constexpr int kTile = 16;
constexpr int kTileThreads = kTile * kTile;

// op(a) or op(b): element (i, j) of the matrix that is multiplied.
struct Operand {
  Floats numbers;
  bool transposed;
  bool tf32;
  std::int64_t rows, columns;
  WEFT_KERNEL float load(std::int64_t i, std::int64_t j, std::int64_t shift) const {
    // Zeros beyond the edge leave the sums as they are, so that the loops need no bounds.
    if (i >= rows || j >= columns) return 0.0F;
    const float value = transposed ? numbers.load(j, shift + i) : numbers.load(i, shift + j);
    return tf32 ? tf32_from_f32(value) : value;
  }
};

// A GEMM for sizes and alignments that the library refuses: a block has a tile of 16 x 16 results,
// a thread one of them. Each sum takes up the inner side in order, so a row of c does not depend on
// the others. `each` ends with a barrier: loaded tiles are complete.
struct Tiles {
  Operand a, b;
  Floats c, bias;
  bool has_bias;
  float beta;
  std::int64_t row_tiles, column_tiles;
  std::int64_t a_step, b_step, c_step;

  WEFT_KERNEL void operator()(Block& block) const {
    float* of_a = block.shared<float>(kTileThreads);
    float* of_b = block.shared<float>(kTileThreads);
    float* sums = block.shared<float>(kTileThreads);
    const std::int64_t tiles = row_tiles * column_tiles, batch = block.index() / tiles;
    const std::int64_t tile = block.index() - batch * tiles;
    const std::int64_t row = tile / column_tiles * kTile, column = tile % column_tiles * kTile;
    block.each([&](int t) { sums[t] = 0.0F; });
    for (std::int64_t k = 0; k < a.columns; k += kTile) {
      block.each([&](int t) {
        of_a[t] = a.load(row + t / kTile, k + t % kTile, batch * a_step);
        of_b[t] = b.load(k + t / kTile, column + t % kTile, batch * b_step);
      });
      block.each([&](int t) {
        float sum = sums[t];
        for (int l = 0; l < kTile; ++l)
          sum += of_a[t / kTile * kTile + l] * of_b[l * kTile + t % kTile];
        sums[t] = sum;
      });
    }
    block.each([&](int t) { store(row + t / kTile, column + t % kTile, batch * c_step, sums[t]); });
  }

  WEFT_KERNEL void store(std::int64_t i, std::int64_t j, std::int64_t shift, float sum) const {
    if (i >= a.rows || j >= b.columns) return;
    if (beta != 0.0F) sum += beta * c.load(i, shift + j);
    if (has_bias) sum += bias.load(0, j);
    c.store(i, shift + j, sum);
  }
};

Operand operand(ConstView view, bool transposed, bool tf32) {
  const bool rounds = tf32 && view.dtype == DType::f32;
  const std::int64_t rows = view.rows(), columns = view.cols();
  return {floats(view), transposed, rounds, transposed ? columns : rows,
          transposed ? rows : columns};
}

}  // namespace

void gemm_by_tiles(DeviceStream& stream, const GemmArgs& args) {
  Tiles tiles;
  tiles.a = operand(args.a, args.transpose_a, args.tf32);
  tiles.b = operand(args.b, args.transpose_b, args.tf32);
  tiles.a.columns = args.inner();  // a matrix without columns does not know its rows
  tiles.a.rows = args.c.rows();
  tiles.b.columns = args.c.cols();
  tiles.c = floats(args.c);
  tiles.has_bias = args.bias.size() > 0;
  if (tiles.has_bias) tiles.bias = floats(args.bias);
  tiles.beta = args.beta;
  tiles.row_tiles = divide_up(args.c.rows(), kTile);
  tiles.column_tiles = divide_up(args.c.cols(), kTile);
  tiles.a_step = args.a_step;
  tiles.b_step = args.b_step;
  tiles.c_step = args.c_step;
  launch(stream, tiles.row_tiles * tiles.column_tiles * args.batches, kTileThreads,
         SharedSize().add<float>(kTileThreads).add<float>(kTileThreads).add<float>(kTileThreads),
         tiles);
}

}  // namespace weft::cuda
