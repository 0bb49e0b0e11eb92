#include <algorithm>
#include <cstdint>
#include <string>

#include "framework/backends/cuda/device_gemm.h"
#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"
#include "framework/backends/cuda/queue_watch.h"
#include "framework/ops/gemm.h"
#include "registry/base/error.h"

namespace weft::cuda {
namespace {

// Long inner dimensions (the tokens of a batch, for gradients of weights) are summed in chunks of
// this many, so that a small result occupies the whole device; the chunks are added in their order.
constexpr std::int64_t kInnerChunk = 128;
constexpr std::int64_t kMostChunks = 64;
constexpr std::int64_t kMostPartial = std::int64_t{1} << 24;  // numbers that the sums take

// The one place where sums are rounded to a narrow result: the bias is added to them in f32 before.
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

bool begins_aligned(ConstView view, std::int64_t step) {
  constexpr std::uintptr_t kAlignment = 16;
  const auto size = static_cast<std::uintptr_t>(size_of(view.dtype));
  const auto place = reinterpret_cast<std::uintptr_t>(view.data);
  return (place | static_cast<std::uintptr_t>(view.row_stride()) * size |
          static_cast<std::uintptr_t>(step) * size) %
             kAlignment ==
         0;
}

// Whether the library has no reason to refuse it: inputs of one type, rows that begin at multiples
// of 16 bytes, and something to add up.
bool library_has_to_take(const GemmArgs& args) {
  return args.inner() > 0 && args.a.dtype == args.b.dtype && begins_aligned(args.a, args.a_step) &&
         begins_aligned(args.b, args.b_step) && begins_aligned(args.c, args.c_step);
}

std::string named(const GemmArgs& args) {
  return "a GEMM of (" + std::to_string(args.c.rows()) + ", " + std::to_string(args.inner()) +
         ") and (" + std::to_string(args.inner()) + ", " + std::to_string(args.c.cols()) + ") in " +
         std::string(name_of(args.a.dtype)) + (args.transpose_a ? ", first transposed" : "") +
         (args.transpose_b ? ", second transposed" : "") + (args.bias.size() > 0 ? ", bias" : "") +
         (args.batches > 1 ? ", " + std::to_string(args.batches) + " times" : "");
}

// The library is made for the GEMMs of models, our own kernel for every other; its turns are
// counted.
void run_directly(DeviceStream& stream, const GemmArgs& args) {
  const auto by_tiles = [&stream, args] {
    if (is_strict() && library_has_to_take(args)) {
      throw Error(ErrorKind::device,
                  "the library has no algorithm for " + named(args) + " (WEFT_CUDA_STRICT)");
    }
    count(Queued::tile_gemm);
    gemm_by_tiles(stream, args);
  };
  if (gemm_by_library(stream, args, by_tiles)) {
    return tell_queued(stream, Queued::library_gemm, "in a GEMM of the library");
  }
  by_tiles();
}

// The library wants inputs of one type, a result of that type or in f32, and a bias of the type of
// the result. An array of another type passes through f32 and is rounded once; so does a narrow one
// that is added to, since the library rounds the sum of its own before the addition.
void run_typed(DeviceStream& stream, const GemmArgs& args) {
  const DType type = args.a.dtype;
  const bool same_inputs = type == args.b.dtype;
  const bool plain_result =
      args.c.dtype == DType::f32 || (args.c.dtype == type && args.beta == 0.0F);
  const bool plain_bias = args.bias.size() == 0 || args.bias.dtype == args.c.dtype;
  if (same_inputs && plain_result && plain_bias) return run_directly(stream, args);
  // One input is f32 and the other is not: the narrow one is widened, which is exact.
  if (!same_inputs) {
    const bool narrow_a = args.a.dtype != DType::f32;
    const ConstView narrow = narrow_a ? args.a : args.b;
    const WideMatrix wide(stream, narrow.rows(), narrow.cols());
    convert(stream, narrow, wide.view());
    GemmArgs same = args;
    (narrow_a ? same.a : same.b) = wide.view();
    return run_typed(stream, same);
  }
  const WideMatrix wide(stream, args.c.rows(), args.c.cols());
  // The numbers that are added to are needed in f32 too, so that the result is rounded only once.
  if (args.beta != 0.0F) convert(stream, args.c, wide.view());
  GemmArgs in_f32 = args;
  in_f32.c = wide.view();
  in_f32.bias = {};
  run_directly(stream, in_f32);
  const bool has_bias = args.bias.size() > 0;
  const Floats bias = has_bias ? floats(args.bias) : Floats();
  launch_matrix(stream, args.c.rows(), args.c.cols(),
                Rounded{floats(wide.view()), bias, floats(args.c), has_bias});
}

// Adds up the numbers of the result over all chunks, and over the few rows that are left. The
// threads that share a number take every kSharing-th chunk and row, and are joined in pairs: atomic
// additions would come in an order that changes from run to run.
template <class Numbers>
struct AddChunks {
  static constexpr int kElements = 32, kSharing = 8, kThreadsOfBlock = kElements * kSharing;

  const float* sums;  // (chunks, rows, columns)
  std::int64_t chunks, size;
  std::uint32_t columns;
  Numbers a, b;  // of the factors, the rows [first_left, end)
  std::int64_t first_left, end;
  Floats to;
  float beta;

  WEFT_KERNEL float part(std::int64_t element, int number) const {
    const auto i = static_cast<std::uint32_t>(element) / columns,
               j = static_cast<std::uint32_t>(element) % columns;
    float sum = 0.0F;
    for (std::int64_t c = number; c < chunks; c += kSharing) sum += sums[c * size + element];
    for (std::int64_t r = first_left + number; r < end; r += kSharing) {
      sum += a.load(r, i) * b.load(r, j);
    }
    return sum;
  }
  WEFT_KERNEL void operator()(Block& block) const {
    float* parts = block.shared<float>(kThreadsOfBlock);
    const std::int64_t first = block.index() * kElements;
    block.each([&](int thread) {
      const std::int64_t element = first + thread % kElements;
      parts[thread] = element < size ? part(element, thread / kElements) : 0.0F;
    });
    for (int apart = kSharing / 2; apart > 0; apart /= 2) {
      block.each([&](int thread) {
        if (thread < apart * kElements) parts[thread] += parts[thread + apart * kElements];
      });
    }
    block.each([&](int thread) {
      const std::int64_t element = first + thread;
      if (thread >= kElements || element >= size) return;
      const std::int64_t i = element / columns, j = element % columns;
      to.store(i, j, beta == 0.0F ? parts[thread] : beta * to.load(i, j) + parts[thread]);
    });
  }
};

// c += a^T b over the rows of a and b, in chunks of them.
void run_in_chunks(DeviceStream& stream, const GemmArgs& args) {
  const std::int64_t rows = args.inner(), size = args.c.size();
  // The number of chunks follows from the sizes alone, never from the device: the same batch gives
  // the same sums on a large GPU and a small one, as far as the library's algorithm is the same.
  const std::int64_t most = std::clamp<std::int64_t>(kMostPartial / size, 1, kMostChunks);
  const std::int64_t chunks = std::min(most, divide_up(rows, kInnerChunk));
  // All chunks are equally long, so that they are one batched GEMM; fewer rows than there are
  // chunks are left.
  const std::int64_t length = rows / chunks;
  const WideMatrix sums(stream, chunks, size);
  const Shape shape{args.c.rows(), args.c.cols()};
  GemmArgs all = args;
  all.a = args.a.slice(0, length);
  all.b = args.b.slice(0, length);
  all.c = View(sums.view().data, DType::f32, shape);
  all.beta = 0.0F;
  all.batches = chunks;
  all.a_step = length * args.a.row_stride();
  all.b_step = length * args.b.row_stride();
  all.c_step = size;
  run_directly(stream, all);
  with_numbers(
      [&]<class Numbers>(Numbers a, Numbers b) {
        using Adding = AddChunks<Numbers>;
        launch(stream, divide_up(size, Adding::kElements), Adding::kThreadsOfBlock,
               SharedSize().add<float>(Adding::kThreadsOfBlock),
               Adding{sums.view().as<float>(), chunks, size, static_cast<std::uint32_t>(shape[1]),
                      a, b, chunks * length, rows, floats(args.c), args.beta});
      },
      args.a, args.b);
}

}  // namespace

void run_gemm(DeviceStream& stream, const GemmArgs& args) {
  if (args.c.size() == 0) return;
  // Only gradients of weights have a long inner side that is not the width of a layer.
  const bool splits = args.transpose_a && !args.transpose_b && args.bias.size() == 0 &&
                      args.a.dtype == args.b.dtype && args.inner() > kInnerChunk &&
                      args.c.size() <= kMostPartial / 2;
  splits ? run_in_chunks(stream, args) : run_typed(stream, args);
}

namespace {

GemmArgs gemm_args(ConstView a, ConstView b, View c, bool tf32) {
  GemmArgs args;
  args.a = a;
  args.b = b;
  args.c = c;
  args.tf32 = tf32;
  return args;
}

template <bool tf32>
void gemm(Stream& stream, ConstView a, Transpose transpose_a, ConstView b, Transpose transpose_b,
          View c, float beta) {
  GemmArgs args = gemm_args(a, b, c, tf32);
  args.transpose_a = transpose_a == Transpose::yes;
  args.transpose_b = transpose_b == Transpose::yes;
  args.beta = beta;
  run_gemm(device_stream(stream), args);
}

template <bool tf32>
void affine(Stream& stream, ConstView x, ConstView w, ConstView b, View y) {
  GemmArgs args = gemm_args(x, w, y, tf32);
  args.transpose_b = true;
  args.bias = b;
  run_gemm(device_stream(stream), args);
}

const KernelRegistration<Gemm> gemm_kernel{DeviceKind::cuda, gemm<false>, KernelFormats::any,
                                           gemm<true>};
const KernelRegistration<Affine> affine_kernel{DeviceKind::cuda, affine<false>, KernelFormats::any,
                                               affine<true>};

}  // namespace
}  // namespace weft::cuda
