#include "framework/backends/cpu/tile_product.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "framework/backends/cpu/amx.h"
#include "framework/backends/cpu/tile_panel.h"
#include "framework/tensor/storage.h"

#ifdef WEFT_HAS_AMX
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace weft::cpu {

#ifdef WEFT_HAS_AMX
namespace {

// The product is computed in blocks of 32 x 32: two tiles of each factor's lines.
constexpr std::int64_t kBlock = 2 * kTileLines;
// The words of one step of a strip: two tiles of each plane.
constexpr std::int64_t kStepWords = 2 * kPlanes * kTileWords;
// Depths that are summed up at once, and words of the right factor that are packed at once: they
// stay in the second cache while the left factor passes.
constexpr std::int64_t kMostDepth = 512;
constexpr std::int64_t kMostWords = 1 << 18;

constexpr std::int64_t round_up(std::int64_t count, std::int64_t to) {
  return (count + to - 1) / to * to;
}

bool is_switched_off() {
  const char* amx = std::getenv("WEFT_AMX");
  return std::getenv("OPENBLAS_CORETYPE") != nullptr ||
         (amx != nullptr && std::string_view(amx) == "0");
}

// Whether the processor has the instructions.
bool has_instructions() {
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512dq")) {
    return false;
  }
  std::uint32_t a = 7, b = 0, c = 0, d = 0;
  __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  constexpr std::uint32_t kTilesAndBf16 = 1U << 24 | 1U << 22;
  return (d & kTilesAndBf16) == kTilesAndBf16;
}

// The state of the tiles is large, so that Linux (5.16) wants to be asked for it.
bool is_permitted() {
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

// All eight tiles of 16 rows of 64 bytes. In memory of its own: compilers do not see that the
// instruction reads it.
struct alignas(64) TileShape {
  std::uint8_t palette = 1, start = 0, reserved[14] = {};
  std::uint16_t bytes_of_row[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
constexpr TileShape kTileShape;

// The calling thread's tiles, while it lives.
class Tiles {
 public:
  WEFT_AMX Tiles() { _tile_loadconfig(&kTileShape); }
  WEFT_AMX ~Tiles() { _tile_release(); }
  Tiles(const Tiles&) = delete;
  Tiles& operator=(const Tiles&) = delete;
};

// A strip of 32 lines of a factor: for each step of its depth the planes' two tiles.
void pack_strip(const Factor& factor, std::int64_t line, std::int64_t d, std::int64_t depth,
                TileRows rows, std::uint32_t* to) {
  for (std::int64_t at = 0; at < depth; at += kTileDepth, to += kStepWords) {
    for (std::int64_t tile = 0; tile < 2; ++tile) {
      pack_tile(factor, line + tile * kTileLines, d + at, rows, to + tile * kTileWords,
                2 * kTileWords);
    }
  }
}

WEFT_AMX inline void load_sums(const float* from, std::int64_t stride) {
  const auto bytes = static_cast<int>(stride * 4);
  _tile_loadd(0, from, bytes);
  _tile_loadd(1, from + kTileLines, bytes);
  _tile_loadd(2, from + kTileLines * stride, bytes);
  _tile_loadd(3, from + kTileLines * stride + kTileLines, bytes);
}

WEFT_AMX inline void store_sums(float* to, std::int64_t stride) {
  const auto bytes = static_cast<int>(stride * 4);
  _tile_stored(0, to, bytes);
  _tile_stored(1, to + kTileLines, bytes);
  _tile_stored(2, to + kTileLines * stride, bytes);
  _tile_stored(3, to + kTileLines * stride + kTileLines, bytes);
}

// Two tiles of a plane of the left factor, and of the right one.
WEFT_AMX inline void load_left(const std::uint32_t* step, int plane) {
  _tile_loadd(4, step + 2 * plane * kTileWords, 64);
  _tile_loadd(5, step + (2 * plane + 1) * kTileWords, 64);
}

WEFT_AMX inline void load_right(const std::uint32_t* step, int plane) {
  _tile_loadd(6, step + 2 * plane * kTileWords, 64);
  _tile_loadd(7, step + (2 * plane + 1) * kTileWords, 64);
}

WEFT_AMX inline void add_products() {
  _tile_dpbf16ps(0, 4, 6);
  _tile_dpbf16ps(1, 4, 7);
  _tile_dpbf16ps(2, 5, 6);
  _tile_dpbf16ps(3, 5, 7);
}

// Adds the products of two strips to the sums. The order of the planes spares loads.
WEFT_AMX void add_strips(const std::uint32_t* left, const std::uint32_t* right,
                         std::int64_t depth) {
  for (std::int64_t at = 0; at < depth; at += kTileDepth, left += kStepWords, right += kStepWords) {
    load_left(left, 2);
    load_right(right, 0);
    add_products();
    load_left(left, 1);
    add_products();
    load_right(right, 1);
    add_products();
    load_left(left, 0);
    add_products();
    load_right(right, 2);
    add_products();
    load_right(right, 0);
    add_products();
  }
}

// Where the sums of a block start from.
enum class Start : std::uint8_t { zero, bias, sums };

void copy_rows(const float* from, std::int64_t from_stride, float* to, std::int64_t to_stride,
               std::int64_t rows, std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i) {
    std::copy_n(from + i * from_stride, columns, to + i * to_stride);
  }
}

// A block of c, or of its edge: what reaches beyond goes through an array of its own.
class Block {
 public:
  Block(const Product& p, std::int64_t row, std::int64_t column, std::int64_t columns)
      : c_(p.c + row * p.ldc + column),
        stride_(p.ldc),
        bias_(p.bias == nullptr ? nullptr : p.bias + column),
        rows_(std::min(kBlock, p.m - row)),
        columns_(columns) {}

  WEFT_AMX void start(Start from) {
    if (from == Start::zero) {
      _tile_zero(0);
      _tile_zero(1);
      _tile_zero(2);
      _tile_zero(3);
    } else if (is_whole()) {
      load_sums(from == Start::bias ? bias_ : c_, from == Start::bias ? 0 : stride_);
    } else {
      copy_rows(from == Start::bias ? bias_ : c_, from == Start::bias ? 0 : stride_, edge_, kBlock,
                rows_, columns_);
      load_sums(edge_, kBlock);
    }
  }
  WEFT_AMX void finish() {
    if (is_whole()) return store_sums(c_, stride_);
    store_sums(edge_, kBlock);
    copy_rows(edge_, kBlock, c_, stride_, rows_, columns_);
  }

 private:
  bool is_whole() const { return rows_ == kBlock && columns_ == kBlock; }

  float* c_;
  std::int64_t stride_;
  const float* bias_;
  std::int64_t rows_, columns_;
  alignas(64) float edge_[kBlock * kBlock];
};

// Memory for packed strips, kept by each thread.
std::uint32_t* packed_words(std::int64_t count) {
  thread_local Storage kept;
  const auto bytes = static_cast<std::size_t>(count) * sizeof(std::uint32_t);
  if (kept.bytes < bytes) kept = HostAllocator().allocate(bytes);
  return static_cast<std::uint32_t*>(kept.data);
}

// Columns [column, column + columns) of c, summed over depths [d, d + depth).
WEFT_AMX void multiply_columns(const Product& p, std::int64_t column, std::int64_t columns,
                               std::int64_t d, std::int64_t depth, Start start) {
  const Factor a{p.a, p.lda, !p.transpose_a, p.m, p.k};
  const Factor b{p.b, p.ldb, p.transpose_b, p.n, p.k};
  const std::int64_t strip = round_up(depth, kTileDepth) / kTileDepth * kStepWords;
  std::uint32_t* left = packed_words(strip * (1 + round_up(columns, kBlock) / kBlock));
  std::uint32_t* right = left + strip;
  for (std::int64_t j = 0; j < columns; j += kBlock) {
    pack_strip(b, column + j, d, depth, TileRows::pairs, right + j / kBlock * strip);
  }
  for (std::int64_t i = 0; i < p.m; i += kBlock) {
    pack_strip(a, i, d, depth, TileRows::lines, left);
    for (std::int64_t j = 0; j < columns; j += kBlock) {
      Block block(p, i, column + j, std::min(kBlock, columns - j));
      block.start(start);
      add_strips(left, right + j / kBlock * strip, depth);
      block.finish();
    }
  }
}

void scale_rows(const Product& p) {
  for (std::int64_t i = 0; i < p.m; ++i) {
    std::for_each_n(p.c + i * p.ldc, p.n, [&](float& number) { number *= p.beta; });
  }
}

// What the sums of the whole product start from.
Start start_of(const Product& p) {
  if (p.bias != nullptr) return Start::bias;
  return p.beta == 0.0F ? Start::zero : Start::sums;
}

}  // namespace

bool has_tiles() {
  static const bool has = !is_switched_off() && has_instructions() && is_permitted();
  return has;
}

WEFT_AMX void tile_multiply(const Product& p) {
  const Tiles tiles;
  if (start_of(p) == Start::sums && p.beta != 1.0F) scale_rows(p);
  for (std::int64_t d = 0; d < p.k || d == 0; d += kMostDepth) {
    const std::int64_t depth = std::min(kMostDepth, p.k - d);
    const std::int64_t steps = std::max<std::int64_t>(1, round_up(depth, kTileDepth) / kTileDepth);
    const std::int64_t at_once = std::max(kBlock, kMostWords / (steps * kStepWords) * kBlock);
    const Start start = d == 0 ? start_of(p) : Start::sums;
    for (std::int64_t column = 0; column < p.n; column += at_once) {
      multiply_columns(p, column, std::min(at_once, p.n - column), d, depth, start);
    }
  }
}

#else

bool has_tiles() {
  return false;
}

void tile_multiply(const Product&) {}

#endif

}  // namespace weft::cpu
