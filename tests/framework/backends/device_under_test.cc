#include "tests/framework/backends/device_under_test.h"

#include <cmath>
#include <cstring>

#include <dlfcn.h>

#include "framework/ops/random.h"
#include "tests/framework/devices/device_library.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft {
namespace {

using Kernels = std::map<std::string_view, DeviceUnderTest::Kernels>;

Kernels kernels_of(DeviceKind kind) {
  Kernels kernels;
  for (const KernelSlot* slot : kernel_slots()) {
    const int place = static_cast<int>(kind);
    kernels[slot->name] = {slot->kernels[place], slot->tf32_kernels[place]};
  }
  return kernels;
}

// The library's kernels take the places of those of the library that was opened before, so that
// they are noted at once; other tests see no change.
std::unique_ptr<DeviceUnderTest> open(const std::string& path, std::string& why_none) {
  std::vector<std::pair<KernelSlot*, KernelSlot>> before;
  for (const KernelSlot* slot : kernel_slots()) {
    before.emplace_back(const_cast<KernelSlot*>(slot), *slot);
  }
  DeviceBackend* backend_before = device_backend(DeviceKind::cuda);
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    why_none = "not built, or it cannot be opened: " + std::string(dlerror());
    return nullptr;
  }
  reinterpret_cast<void (*)()>(dlsym(library, "weft_open_backend"))();
  DeviceBackend* backend = device_backend(DeviceKind::cuda);
  why_none = backend->why_none();
  std::unique_ptr<DeviceUnderTest> device;
  if (backend->count() > 0) {
    device =
        std::make_unique<DeviceUnderTest>(backend->make_stream(0), kernels_of(DeviceKind::cuda));
  }
  set_device_backend(DeviceKind::cuda, backend_before);
  for (const auto& [slot, saved] : before) *slot = saved;
  return device;
}

}  // namespace

DeviceUnderTest* DeviceUnderTest::find(const std::string& name, std::string& why_none) {
  struct Entry {
    std::unique_ptr<DeviceUnderTest> device;
    std::string why_none;
  };
  static std::map<std::string, Entry> known;
  const auto found = known.find(name);
  Entry& entry = known[name];
  if (found == known.end()) {
    if (name == "cpu") {
      entry.device = std::make_unique<DeviceUnderTest>(std::make_shared<Stream>(),
                                                       kernels_of(DeviceKind::cpu));
    } else {
      entry.device = open(device_tests::device_library(name), entry.why_none);
    }
  }
  why_none = entry.why_none;
  return entry.device.get();
}

void* Bench::take(std::size_t bytes) {
  memory_.push_back(stream().allocate(bytes));
  return memory_.back().data;
}

View Bench::put(const Tensor& host) {
  const Tensor placed = is_cpu() && is_low(host.dtype()) ? cast_to(DType::f32, host) : host;
  const View view(take(placed.bytes()), placed.dtype(), placed.shape());
  stream().copy(view.data, placed.cview().data, placed.bytes(), CopyKind::host_to_device);
  stream().synchronize();
  return view;
}

View Bench::put_wide(const Tensor& host, std::int64_t first, std::int64_t width) {
  Tensor wide = Tensor::zeros({host.dim(0), width}, host.dtype());
  Tensor fill = Tensor::zeros({host.dim(0), width});
  for (std::int64_t i = 0; i < fill.size(); ++i) fill.data<float>()[i] = 77.0F;
  cast_rows(fill, wide.view());
  cast_rows(host, wide.view().columns(first, host.dim(1)));
  return put(wide).columns(first, host.dim(1));
}

Tensor Bench::get(ConstView view, DType type) {
  Tensor rows = Tensor::zeros(view.shape, view.dtype);
  const std::size_t row_bytes = static_cast<std::size_t>(view.cols()) * size_of(view.dtype);
  if (view.is_contiguous()) {
    stream().copy(rows.view().data, view.data, rows.bytes(), CopyKind::device_to_host);
  } else {
    for (std::int64_t i = 0; i < view.rows(); ++i) {
      stream().copy(static_cast<char*>(rows.view().data) + static_cast<std::size_t>(i) * row_bytes,
                    view.slice(i, 1).data, row_bytes, CopyKind::device_to_host);
    }
  }
  stream().synchronize();
  return is_cast_type(view.dtype) ? cast_to(type, rows) : rows;
}

void DeviceTest::SetUp() {
  std::string why_none;
  device_ = DeviceUnderTest::find(GetParam(), why_none);
  if (device_ == nullptr) GTEST_SKIP() << "no device " << GetParam() << ": " << why_none;
}

namespace {

bool same_bytes(const Tensor& a, const Tensor& b) {
  return a.bytes() == b.bytes() &&
         (a.bytes() == 0 || std::memcmp(a.cview().data, b.cview().data, a.bytes()) == 0);
}

double unit_roundoff(DType type) {
  return type == DType::f32 ? 0.0 : static_cast<double>(limits(format_of(type)).unit_roundoff);
}

void expect_close(const Tensor& found, const Tensor& expected, double relative,
                  const std::string& what) {
  ASSERT_EQ(found.shape().str(), expected.shape().str()) << what;
  ASSERT_EQ(found.dtype(), expected.dtype()) << what;
  if (!is_cast_type(found.dtype()) || relative == 0.0) {
    EXPECT_TRUE(same_bytes(found, expected)) << what << ": not the same bytes";
    return;
  }
  const Tensor a = cast_to(DType::f32, found), b = cast_to(DType::f32, expected);
  const double rounding = 2 * unit_roundoff(found.dtype());
  for (std::int64_t i = 0; i < a.size(); ++i) {
    const double x = a.data<float>()[i], y = b.data<float>()[i];
    const double allowed = relative * std::max(1.0, std::abs(y)) + rounding * std::abs(y);
    ASSERT_TRUE(std::abs(x - y) <= allowed)
        << what << ": " << x << " for " << y << " at " << i << " of " << a.size();
  }
}

}  // namespace

void DeviceTest::compare(const Body& body, double relative, std::string_view what) {
  std::string why_none;
  Bench cpu(*DeviceUnderTest::find("cpu", why_none)), once(device()), again(device());
  const std::vector<Tensor> expected = body(cpu), found = body(once), repeated = body(again);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string name = std::string(what) + ", result " + std::to_string(i);
    EXPECT_TRUE(same_bytes(found[i], repeated[i])) << name << ": differs from run to run";
    expect_close(found[i], expected[i], relative, name);
  }
}

Tensor random_numbers(Shape shape, std::uint64_t seed, DType type) {
  return cast_to(type, random_tensor(shape, seed));
}

Tensor random_rows(Shape shape, std::uint64_t seed, std::int64_t bound) {
  Tensor rows = Tensor::zeros(shape, DType::i32);
  const RandomStream random(seed, 0, 0);
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    rows.data<std::int32_t>()[i] = static_cast<std::int32_t>(
        random.below(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(bound)));
  }
  return rows;
}

std::string named(std::string_view op, std::int64_t n, std::int64_t d, DType type) {
  return std::string(op) + " " + Shape{n, d}.str() + " " + std::string(name_of(type));
}

}  // namespace weft
