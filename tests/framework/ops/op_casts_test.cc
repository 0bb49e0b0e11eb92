// Casts around ops, by category, level and rule (docs/precision.md, "Op categories").
#include "framework/ops/op_casts.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/nn/model.h"
#include "framework/nn/run_formats.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/gemm.h"
#include "framework/ops/hash_embed.h"
#include "framework/ops/layer_norm.h"
#include "framework/ops/maxout.h"
#include "framework/ops/pass_observer.h"
#include "framework/ops/softmax.h"
#include "framework/precision/element_type.h"
#include "registry/base/error.h"
#include "tests/framework/devices/fake_device.h"
#include "tests/framework/ops/random_tensor.h"
#include "tests/framework/precision/reference_gemm.h"

namespace weft {
namespace {

// Ops of a plugin: y = x, with whatever a kernel is given written down.
DType given = DType::u8;
void copy(Stream&, ConstView x, View y) {
  given = x.dtype;
  for (std::int64_t i = 0; i < y.size(); ++i) y.as<float>()[i] = x.as<float>()[i];
}
struct TestBanned {
  static constexpr std::string_view name = "test_banned";
  static constexpr Category category = Category::banned;
  using Fn = void(Stream&, ConstView x, View y);
};
struct TestUndeclared {
  static constexpr std::string_view name = "test_undeclared";
  using Fn = void(Stream&, ConstView x, View y);
};
struct TestMatchFirst {
  static constexpr std::string_view name = "test_match_first";
  static constexpr Category category = Category::match_first;
  using Fn = void(Stream&, ConstView first, ConstView x, View y);
};
void copy_second(Stream& stream, ConstView, ConstView x, View y) {
  copy(stream, x, y);
}
const KernelRegistration<TestBanned> banned_kernel{DeviceKind::cpu, copy};
const KernelRegistration<TestUndeclared> undeclared_kernel{DeviceKind::cpu, copy};
const KernelRegistration<TestMatchFirst> match_first_kernel{DeviceKind::cpu, copy_second};
struct TestLate {
  static constexpr std::string_view name = "test_late";
  static constexpr Category category = Category::any;
  using Fn = void(Stream&, ConstView x, View y);
};

PrecisionPolicy policy_at(const std::string& level) {
  PrecisionSettings settings;
  settings.level = level;
  return make_precision_policy(settings);
}

// A context under a level.
struct Followed {
  explicit Followed(const std::string& level) : formats(policy_at(level)) { ctx.follow(&formats); }
  explicit Followed(const PrecisionPolicy& policy) : formats(policy) { ctx.follow(&formats); }
  RunFormats formats;
  Context ctx;
};

const float kFine = 1.0F + 0x1p-12F;  // rounds to 1 in fp16

Tensor one(float value) {
  return Tensor::from<float>({1, 1}, {value});
}
float number(const Tensor& tensor) {
  return cast_to(DType::f32, tensor).data<float>()[0];
}

TEST(OpCasts, WithoutAPolicyResultsAreF32) {
  Context ctx;
  EXPECT_EQ(ctx.result<Gemm>({1, 1}, one(1)).dtype(), DType::f32);
  EXPECT_EQ(ctx.gradient<Gemm>(one(1)).dtype(), DType::f32);
  EXPECT_EQ(ctx.input_format<Gemm>(), NumberFormat::f32);
}

// The kernels of a device that were called.
std::string called;
template <char name>
void note(Stream&, ConstView, Transpose, ConstView, Transpose, View, float) {
  called += name;
}

TEST(OpCasts, OnADeviceTheKernelThatRoundsToTf32IsTakenWhereThePolicySaysSo) {
  testing::FakeDevice device;
  const KernelRegistration<Gemm> kernels{DeviceKind::cuda, note<'f'>, KernelFormats::any,
                                         note<'t'>};
  Context ctx(device.make_stream(0));
  const Tensor x = ctx.zeros({1, 1});
  Tensor y = ctx.zeros({1, 1});
  const auto run = [&] { ctx.run<Gemm>(x, Transpose::no, x, Transpose::no, y.view(), 0.0F); };
  called.clear();
  run();
  RunFormats tf32(policy_at("tf32")), o0(policy_at("O0"));
  ctx.follow(&tf32);
  run();
  ctx.follow(&o0);
  run();
  ctx.run_plain<Gemm>(x.cview(), Transpose::no, x.cview(), Transpose::no, y.view(), 0.0F);
  EXPECT_EQ(called, "ftff");
}

TEST(OpCasts, AtO1ProductsRoundTheirInputsAndResults) {
  Followed run("O1");
  Tensor y = run.ctx.result<Affine>({1, 1}, one(kFine), one(kFine));
  EXPECT_EQ(y.dtype(), DType::f16);
  run.ctx.run<Affine>(one(kFine), one(kFine), one(0), y.view());
  EXPECT_EQ(number(y), 1.0F);
  Tensor wide = run.ctx.empty({1, 1});  // as a gradient of a weight: f32, not rounded
  run.ctx.run<Gemm>(one(1.0F + 0x1p-10F), Transpose::no, one(1.0F + 0x1p-10F), Transpose::no,
                    wide.view(), 0.0F);
  EXPECT_EQ(number(wide), 1.0F + 0x1p-9F + 0x1p-20F);
}

TEST(OpCasts, AtO1F32OpsWidenAndKeepF32) {
  Followed run("O1");
  const Tensor x = cast_to(DType::f16, Tensor::from<float>({1, 2}, {1.0F, 3.0F}));
  EXPECT_EQ(run.ctx.result<LayerNormForward>(x.shape(), x).dtype(), DType::f32);
  EXPECT_EQ(run.ctx.gradient<LayerNormBackward>(x).dtype(), DType::f16);
  EXPECT_EQ(run.ctx.result<SoftmaxForward>(x.shape(), x).dtype(), DType::f32);
}

TEST(OpCasts, NormOutputMayBeLowAtO1) {
  PrecisionSettings settings;
  settings.level = "O1";
  settings.norm_output = Width::low;
  Followed run(make_precision_policy(settings));
  EXPECT_EQ(run.ctx.result<LayerNormForward>({1, 1}, one(1)).dtype(), DType::f16);
}

TEST(OpCasts, PromotingOpsTakeTheWidest) {
  Followed run("O1");
  const Tensor low = cast_to(DType::f16, one(1.0F)), wide = one(kFine);
  EXPECT_EQ(run.ctx.result<AddInPlace>({1, 1}, low, wide).dtype(), DType::f32);
  EXPECT_EQ(run.ctx.result<AddInPlace>({1, 1}, low, low).dtype(), DType::f16);
  Tensor sum = cast_to(DType::f16, one(1.0F));
  run.ctx.run<AddInPlace>(sum.view(), low);
  EXPECT_EQ(number(sum), 2.0F);
}

TEST(OpCasts, TablesStayF32AtO1AndAreLowAtO2) {
  const Tensor table = random_tensor({4, 3}, 1);
  EXPECT_EQ(Followed("O1").ctx.result<GatherSum>({2, 3}, table).dtype(), DType::f32);
  EXPECT_EQ(Followed("O2").ctx.result<GatherSum>({2, 3}, table).dtype(), DType::f16);
}

TEST(OpCasts, AtO2WhatIsMadeIsLowButForWhatIsAlwaysF32) {
  Followed run("O2");
  const Tensor x = one(kFine);
  EXPECT_EQ(run.ctx.result<MaxoutForward>({1, 1}, x).dtype(), DType::f16);
  EXPECT_EQ(run.ctx.result<LayerNormForward>({1, 1}, x).dtype(), DType::f16);
  EXPECT_EQ(run.ctx.result<SoftmaxForward>({1, 1}, x).dtype(), DType::f32);
}

TEST(OpCasts, NumbersThatNoPolicyTouchesPassThrough) {
  Followed run("O2");
  const Tensor ids = Tensor::from<std::uint64_t>({2, 1}, {7, 8});
  Tensor rows = run.ctx.empty({2, 4}, DType::i32);
  run.ctx.run<HashRows>(ids, 3U, std::int64_t{50}, rows.view());
  Context plain;
  Tensor expected = plain.empty({2, 4}, DType::i32);
  plain.run<HashRows>(ids, 3U, std::int64_t{50}, expected.view());
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(rows.data<std::int32_t>()[i], expected.data<std::int32_t>()[i]);
  }
}

TEST(OpCasts, GatheringKernelsTakeSixteenBitsAsTheyAre) {
  const Tensor table = random_tensor({5, 6}, 2);
  const Tensor low = cast_to(DType::f16, table);
  constexpr std::int64_t n = 400;  // more than are converted at once
  Tensor rows = Tensor::zeros({n, 4}, DType::i32);
  for (int i = 0; i < n * 4; ++i) rows.data<std::int32_t>()[i] = (i + i / 7) % 5;
  Followed run("O2");
  Tensor y = run.ctx.result<GatherSum>({n, 6}, low);
  run.ctx.run<GatherSum>(low, rows, y.view());
  // The sum in f32 of the rounded rows, rounded once.
  Context plain;
  Tensor sum = plain.empty({n, 6});
  plain.run<GatherSum>(cast_to(DType::f32, low), rows, sum.view());
  const Tensor expected = cast_to(DType::f16, sum);
  EXPECT_EQ(std::memcmp(y.cview().data, expected.cview().data, y.bytes()), 0);
}

TEST(OpCasts, ALowProductIsThatOfTheReferenceWithinItsBound) {
  constexpr std::int64_t m = 5, k = 300, n = 7;
  for (const NumberFormat format : {NumberFormat::f16, NumberFormat::bf16}) {
    const Tensor a = cast_to(dtype_of(format), random_tensor({m, k}, 3));
    const Tensor b = cast_to(dtype_of(format), random_tensor({k, n}, 4));
    PrecisionPolicy policy = policy_at("O2");
    policy.low = format;
    Followed run(policy);
    Tensor c = run.ctx.empty({m, n});
    run.ctx.run<Gemm>(a, Transpose::no, b, Transpose::no, c.view(), 0.0F);
    std::vector<float> sums(m * n), absolute(m * n);
    const auto bits = [](const Tensor& tensor) {
      return std::span(static_cast<const std::uint16_t*>(tensor.cview().data),
                       static_cast<std::size_t>(tensor.size()));
    };
    reference_gemm(format, {m, k, n}, bits(a), bits(b), sums);
    const Tensor wide_a = cast_to(DType::f32, a), wide_b = cast_to(DType::f32, b);
    for (std::int64_t i = 0; i < m * n; ++i) {
      double bound = 0;
      for (std::int64_t j = 0; j < k; ++j) {
        bound += std::abs(double{wide_a.data<float>()[i / n * k + j]} *
                          wide_b.data<float>()[j * n + i % n]);
      }
      EXPECT_NEAR(c.data<float>()[i], sums[static_cast<std::size_t>(i)], 0x1p-21 * bound) << i;
    }
  }
}

TEST(OpCasts, BannedOpsRefuseSixteenBits) {
  Followed run("O1");
  Tensor y = run.ctx.empty({1, 1});
  run.ctx.run<TestBanned>(one(2.0F), y.view());
  EXPECT_EQ(number(y), 2.0F);
  EXPECT_THROW(run.ctx.run<TestBanned>(cast_to(DType::f16, one(2.0F)), y.view()), Error);
}

TEST(OpCasts, UndeclaredOpsRunInF32AndAreSaidOnce) {
  for (const char* level : {"O1", "O2"}) {
    Followed run(level);
    const Tensor x = cast_to(DType::f16, one(2.0F));
    Tensor y = run.ctx.result<TestUndeclared>({1, 1}, x);
    EXPECT_EQ(y.dtype(), std::string(level) == "O1" ? DType::f32 : DType::f16);
    run.ctx.run<TestUndeclared>(x, y.view());
    run.ctx.run<TestUndeclared>(x, y.view());
    EXPECT_EQ(given, DType::f32);
    EXPECT_EQ(number(y), 2.0F);
    const Notices notices = run.formats.take_notices();
    ASSERT_EQ(notices.size(), 1U);
    EXPECT_EQ(notices[0].code, "P010");
    EXPECT_TRUE(run.formats.take_notices().empty());
  }
}

TEST(OpCasts, LaterInputsMatchTheFirst) {
  Followed run("O1");
  Tensor y = run.ctx.empty({1, 1});
  run.ctx.run<TestMatchFirst>(cast_to(DType::f16, one(1.0F)), one(kFine), y.view());
  EXPECT_EQ(number(y), 1.0F);
  run.ctx.run<TestMatchFirst>(one(1.0F), one(kFine), y.view());
  EXPECT_EQ(number(y), kFine);
}

TEST(OpCasts, OpsThatComeAfterTheModelAreRefused) {
  Followed run("O1");
  const KernelRegistration<TestLate> late{DeviceKind::cpu, copy};
  Tensor y = run.ctx.empty({1, 1});
  try {
    run.ctx.run<TestLate>(one(1.0F), y.view());
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), ::testing::HasSubstr("P011"));
  }
}

TEST(OpCasts, RulesHoldForTheLayerAtHand) {
  PrecisionPolicy policy = policy_at("O1");
  policy.rules = {{"components.ner.*", Compute::f32}};
  Followed run(policy);
  const auto type_in = [&](const char* layer) {
    const LayerScope scope(run.ctx.watch(), layer);
    return run.ctx.result<Affine>({1, 1}, one(1), one(1)).dtype();
  };
  EXPECT_EQ(type_in("components.ner.model.maxout"), DType::f32);
  EXPECT_EQ(type_in("components.tok2vec.model.maxout"), DType::f16);
  EXPECT_EQ(run.ctx.watch().layer(), "");
  run.formats.compute_in_f32("components.tok2vec.model.maxout");
  EXPECT_EQ(type_in("components.tok2vec.model.maxout"), DType::f32);
}

class Types final : public PassObserver {
 public:
  void op_ran(std::string_view layer, const OpTraits& op, std::span<const DType> inputs,
              std::span<const DType> results) override {
    seen.push_back(std::string(layer) + ":" + std::string(op.name));
    for (const DType type : inputs) seen.back() += " " + std::string(name_of(type));
    seen.back() += " ->";
    for (const DType type : results) seen.back() += " " + std::string(name_of(type));
  }
  std::vector<std::string> seen;
};

TEST(OpCasts, ObserversSeeTheTypes) {
  Followed run("O1");
  Types types;
  run.ctx.watch().observe(&types);
  const LayerScope scope(run.ctx.watch(), "layer");
  Tensor y = run.ctx.result<Affine>({1, 1}, one(1), one(1));
  run.ctx.run<Affine>(one(1), one(1), one(1), y.view());
  EXPECT_THAT(types.seen, ::testing::ElementsAre("layer:affine f16 f16 f16 -> f16"));
}

}  // namespace
}  // namespace weft
