// Every layer's gradients against differences of its output.
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "components/layers/layers.h"
#include "components/layers/reduce.h"
#include "framework/nn/gradient_check.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft {
namespace {

struct Case {
  std::string name;
  std::function<ModelPtr()> make;
  Value input;
  double dropout = 0.0;
};

Value array() {
  return random_tensor({6, 5}, 11);
}
Value ragged() {
  return Ragged{random_tensor({6, 5}, 12), {2, 0, 3, 1}};
}

std::vector<Case> cases() {
  using namespace layers;
  const auto block = [] {
    return residual(
        chain({expand_window(1), maxout({.outputs = 5, .dropout = 0.0, .normalize = true})}));
  };
  return {
      {"linear", [] { return linear({.outputs = 4}); }, array()},
      {"maxout", [] { return maxout({.outputs = 4}); }, array()},
      {"maxout_two_pieces", [] { return maxout({.outputs = 4, .pieces = 2}); }, array()},
      {"mish", [] { return mish({.outputs = 4, .normalize = true}); }, array()},
      {"relu", [] { return relu({.outputs = 4}); }, array()},
      {"gelu", [] { return gelu({.outputs = 4}); }, array()},
      {"swish", [] { return swish({.outputs = 4, .normalize = true}); }, array()},
      {"sigmoid", [] { return sigmoid(4); }, array()},
      {"sigmoid_activation", [] { return sigmoid_activation(); }, array()},
      {"logistic", [] { return logistic(); }, array()},
      {"softmax_activation", [] { return softmax_activation(); }, array()},
      {"with_cpu", [] { return with_cpu(linear({.outputs = 4})); }, array()},
      {"resizable", [] { return resizable(linear({.outputs = 4})); }, array()},
      {"add",
       [] {
         return add({linear({.outputs = 5}), noop(), relu({.outputs = 5})});
       },
       array()},
      {"add_of_documents",
       [] {
         return add({with_array(linear({.outputs = 5})), noop()});
       },
       ragged()},
      {"layer_norm", [] { return layer_norm({}); }, array()},
      {"dropout", [] { return dropout(0.0); }, array(), 0.4},
      {"expand_window", [] { return expand_window(2); }, array()},
      {"chain",
       [] {
         return chain({linear({.outputs = 4}), linear({.outputs = 2})});
       },
       array()},
      {"concatenate",
       [] {
         return concatenate({linear({.outputs = 4}), noop()});
       },
       array()},
      {"residual_of_nothing", [] { return residual(noop()); }, array()},
      {"residual", [] { return residual(linear({.outputs = 5})); }, array()},
      {"clone", [] { return clone(linear({.outputs = 5}), 3); }, array()},
      {"with_array", [] { return with_array(linear({.outputs = 3})); }, ragged()},
      {"encoder", [=] { return with_array(clone(block(), 2), 2); }, ragged()},
      {"encoder_with_dropout", [=] { return with_array(clone(block(), 2), 2); }, ragged(), 0.3},
      {"list2array",
       [] {
         return chain({list2array(), linear({.outputs = 2})});
       },
       ragged()},
      {"reduce_sum", [] { return reduce("reduce_sum", Pool::sum); }, ragged()},
      {"reduce_mean", [] { return reduce("reduce_mean", Pool::mean); }, ragged()},
      {"reduce_max", [] { return reduce("reduce_max", Pool::max); }, ragged()},
      {"reduce_first", [] { return reduce("reduce_first", Pool::first); }, ragged()},
      {"reduce_last", [] { return reduce("reduce_last", Pool::last); }, ragged()},
      {"parametric_attention", [] { return parametric_attention({}); }, ragged()},
      {"parametric_attention_with_keys",
       [] { return parametric_attention({}, gelu({.outputs = 5})); }, ragged()},
      {"list2ragged",
       [] {
         return chain({list2ragged(), ragged2list()});
       },
       ragged()},
  };
}

class LayerGradients : public testing::TestWithParam<Case> {};

TEST_P(LayerGradients, EqualDifferencesOfTheOutput) {
  const ModelPtr model = GetParam().make();
  Context ctx;
  InitRandom random(7);
  model->initialize(ctx, GetParam().input, {}, random);
  model->name_sites("test");
  for (Model* node : model->walk()) {  // biases that are zero hide mistakes
    for (const auto& parameter : node->params()) {
      const Tensor noise = random_tensor(parameter->value.shape(), 5);
      for (std::int64_t i = 0; i < noise.size(); ++i) {
        parameter->value.data<float>()[i] += 0.3F * noise.data<float>()[i];
      }
    }
  }
  const GradientCheckResult result =
      check_gradients(*model, GetParam().input, {.dropout = GetParam().dropout});
  EXPECT_LT(result.worst, 1e-2) << result.where;
}

INSTANTIATE_TEST_SUITE_P(All, LayerGradients, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

TEST(LayerGradients, ACheckSeesAWrongGradient) {
  const ModelPtr right = layers::linear({.outputs = 4});
  Context ctx;
  InitRandom random(7);
  right->initialize(ctx, array(), {}, random);
  Model wrong("wrong", [&](Context& ctx, const Model&, const Value& input) -> Forward {
    Forward forward = (*right)(ctx, input);
    return {forward.output, [way = forward.backward](Context& ctx, const Value& dy) {
              Value dx = way(ctx, dy);
              std::get<Tensor>(dx).data<float>()[2] *= 1.1F;
              return dx;
            }};
  });
  EXPECT_GT(check_gradients(wrong, array()).worst, 1e-2);
}

}  // namespace
}  // namespace weft
