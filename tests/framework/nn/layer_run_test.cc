// A layer as observers and profiles see it.
#include "framework/nn/layer_run.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/nn/gradients.h"
#include "framework/nn/run_formats.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/pass_observer.h"

namespace weft {
namespace {

using ::testing::ElementsAre;

constexpr float kInf = std::numeric_limits<float>::infinity();

// Copies its input; in the backward pass multiplies by `factor`.
ModelPtr scaled(float factor) {
  return std::make_shared<Model>("scaled", [factor](Context& ctx, const Model&, const Value& x) {
    Tensor y = ctx.empty(as_tensor(x).shape());
    ctx.run<CopyRows>(as_tensor(x), y.view());
    return Forward{y, [factor](Context& ctx, const Value& dy) -> Value {
                     Tensor dx = ctx.empty(as_tensor(dy).shape());
                     ctx.run<Scale>(as_tensor(dy), factor, dx.view());
                     return dx;
                   }};
  });
}

// Runs `inner` as a child.
ModelPtr around(ModelPtr inner) {
  auto model =
      std::make_shared<Model>("around", [](Context& ctx, const Model& self, const Value& x) {
        return (*self.layers().front())(ctx, x);
      });
  model->layers().push_back(std::move(inner));
  return model;
}

class Listener final : public PassObserver {
 public:
  bool wants_layers() const override { return true; }
  void went_forward(std::string_view layer, bool finite) override {
    told.push_back(std::string(layer) + (finite ? " finite" : " not finite"));
  }
  void went_back(std::string_view layer, bool incoming, bool outgoing) override {
    told.push_back(std::string(layer) + (incoming ? " finite" : " not finite") +
                   (outgoing ? " to finite" : " to not finite"));
  }
  std::vector<std::string> told;
};

Tensor one(float value) {
  return Tensor::from<float>({1, 1}, {value});
}

struct Pass {
  Context ctx;
  Gradients gradients;
  CounterMasks masks{0, 0};
  Pass() { ctx.pass().train(0.0, gradients, masks); }
};

TEST(LayerRun, ObserversHearOfInnerLayersFirst) {
  const ModelPtr model = around(scaled(2.0F));
  model->name_sites("x");
  const std::string outer = model->path(), inner = model->layers().front()->path();
  Pass pass;
  Listener listener;
  pass.ctx.watch().observe(&listener);
  const Forward forward = (*model)(pass.ctx, one(1.0F));
  forward.backward(pass.ctx, one(1.0F));
  EXPECT_THAT(listener.told, ElementsAre(inner + " finite", outer + " finite",
                                         inner + " finite to finite", outer + " finite to finite"));
}

TEST(LayerRun, ObserversHearWhereNumbersGoWrong) {
  const ModelPtr model = scaled(kInf);
  model->name_sites("x");
  Pass pass;
  Listener listener;
  pass.ctx.watch().observe(&listener);
  const Forward forward = (*model)(pass.ctx, one(kInf));
  forward.backward(pass.ctx, one(1.0F));
  EXPECT_THAT(listener.told,
              ElementsAre(model->path() + " not finite", model->path() + " finite to not finite"));
}

TEST(LayerRun, OthersThanModelsTellForThemselves) {
  const ModelPtr model = scaled(1.0F);
  model->set_param("W", one(1.0F));
  model->name_sites("x");
  Pass pass;
  tell_went_back(pass.ctx, *model, one(1.0F), one(1.0F));  // nobody listens
  Listener listener;
  pass.ctx.watch().observe(&listener);
  tell_went_back(pass.ctx, *model, one(1.0F), one(1.0F));
  pass.gradients.of(model->param("W")).data<float>()[0] = kInf;
  tell_went_back(pass.ctx, *model, one(1.0F), one(1.0F));
  EXPECT_THAT(listener.told, ElementsAre(model->path() + " finite to finite",
                                         model->path() + " finite to not finite"));
}

TEST(LayerRun, ProfilesTellLayersApartWithoutAPolicy) {
  const ModelPtr model = around(scaled(2.0F));
  model->name_sites("x");
  OpProfile profile;
  {
    const ProfileScope scope(profile);
    Pass pass;
    const Forward forward = (*model)(pass.ctx, one(1.0F));
    forward.backward(pass.ctx, one(1.0F));
    EXPECT_EQ(pass.ctx.watch().layer(), "");
  }
  const std::vector<OpShare> shares = profile.shares();
  ASSERT_EQ(shares.size(), 2U);
  for (const OpShare& share : shares) EXPECT_EQ(share.layer, model->layers().front()->path());
}

TEST(LayerRun, CastsAreMeasuredBesideTheirOps) {
  PrecisionSettings settings;
  settings.level = "O2";
  RunFormats formats(make_precision_policy(settings));
  const ModelPtr model = scaled(2.0F);
  model->name_sites("x");
  OpProfile profile;
  {
    const ProfileScope scope(profile);
    Pass pass;
    pass.ctx.follow(&formats);
    Tensor low = Tensor::zeros({64, 64}, DType::f16);
    const Forward forward = (*model)(pass.ctx, low);
    forward.backward(pass.ctx, low);
  }
  std::map<std::string, std::int64_t> calls;
  for (const OpShare& share : profile.shares()) {
    calls[share.op] += share.calls;
    EXPECT_GE(share.seconds, 0.0) << share.op;
  }
  EXPECT_EQ(calls["scale"], 1);
  EXPECT_EQ(calls[std::string(OpProfile::casts)], 1);  // copies take 16 bits as they are
}

}  // namespace
}  // namespace weft
