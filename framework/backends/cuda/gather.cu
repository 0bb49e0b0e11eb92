#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"
#include "framework/backends/cuda/scatter.h"
#include "framework/ops/gather.h"

namespace weft::cuda {
namespace {

template <class From, class To>
struct RowsByNumber {
  From x;
  To y;
  const std::int32_t* rows;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j) const {
    const std::int32_t from = rows[i];
    y.store(i, j, from < 0 ? 0.0F : x.load(from, j));
  }
};

void gather_rows(Stream& stream, ConstView x, ConstView rows, View y) {
  with_numbers(
      [&]<class From, class To>(From from, To to) {
        launch_matrix(device_stream(stream), y.rows(), y.cols(),
                      RowsByNumber<From, To>{from, to, rows.as<std::int32_t>()});
      },
      x, y);
}

struct Zeros {
  Floats x;
  WEFT_KERNEL void operator()(std::int64_t i, std::int64_t j) const { x.store(i, j, 0.0F); }
};

// Up to which every row of the result looks at the whole list for itself: longer ones are sorted,
// in several kernels.
constexpr std::int64_t kShortList = 4096;

// A block has one row of the result. Its threads look for the entries that name it, each in a part
// of the list; then each adds up some columns, in the order of the list. A row that none names is
// left alone, or becomes zeros.
template <class From, class To>
struct SumOfNamed {
  static constexpr int kThreadsOfBlock = 128, kParts = 32;

  From dy;
  To dx;
  const std::int32_t* rows;
  int count;
  std::int64_t width;
  bool adds;  // to what is there

  static SharedSize shared_size(std::int64_t count) {
    return SharedSize().add<std::int32_t>(count).add<std::int32_t>(kParts + 1);
  }
  WEFT_KERNEL void operator()(Block& block) const {
    std::int32_t* found = block.shared<std::int32_t>(count);
    std::int32_t* begins = block.shared<std::int32_t>(kParts + 1);
    const auto row = static_cast<std::int32_t>(block.index());
    const int part = (count + kParts - 1) / kParts;
    const auto for_named = [&](int thread, auto&& use) {
      const int end = (thread + 1) * part < count ? (thread + 1) * part : count;
      for (int e = thread * part; e < end; ++e) {
        if (rows[e] == row) use(e);
      }
    };
    block.each([&](int thread) {
      if (thread >= kParts) return;
      std::int32_t named = 0;
      for_named(thread, [&](int) { ++named; });
      begins[thread + 1] = named;
    });
    block.each([&](int thread) {
      if (thread > 0) return;
      begins[0] = 0;
      for (int p = 0; p < kParts; ++p) begins[p + 1] += begins[p];
    });
    block.each([&](int thread) {
      if (thread >= kParts) return;
      std::int32_t at = begins[thread];
      for_named(thread, [&](int e) { found[at++] = e; });
    });
    block.each([&](int thread) {
      const std::int32_t entries = begins[kParts];
      if (adds && entries == 0) return;
      for (std::int64_t j = thread; j < width; j += kThreadsOfBlock) {
        float sum = 0.0F;
        for (std::int32_t f = 0; f < entries; ++f) sum += dy.load(found[f], j);
        dx.store(row, j, adds ? dx.load(row, j) + sum : sum);
      }
    });
  }
};

void scatter_rows(Stream& stream, ConstView dy, ConstView rows, View dx, float beta) {
  const std::int64_t count = dy.rows();
  DeviceStream& queue = device_stream(stream);
  if (count > kShortList || count == 0) {
    if (beta == 0.0F) launch_matrix(queue, dx.rows(), dx.cols(), Zeros{floats(dx)});
    return scatter_add(queue, dy, {rows.as<std::int32_t>(), count, 1, 1}, dx);
  }
  with_numbers(
      [&]<class From, class To>(From from, To to) {
        using Sums = SumOfNamed<From, To>;
        launch(queue, dx.rows(), Sums::kThreadsOfBlock, Sums::shared_size(count),
               Sums{from, to, rows.as<std::int32_t>(), static_cast<int>(count), dx.cols(),
                    beta != 0.0F});
      },
      dy, dx);
}

const KernelRegistration<GatherRows> gather_kernel{DeviceKind::cuda, gather_rows,
                                                   KernelFormats::any};
const KernelRegistration<ScatterAddRows> scatter_kernel{DeviceKind::cuda, scatter_rows,
                                                        KernelFormats::any};

}  // namespace
}  // namespace weft::cuda
