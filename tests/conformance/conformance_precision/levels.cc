// A small network trained at every level: embedding, window, maxout, layer norm, affine map, cross
// entropy. Losses have to follow the recorded ones, formats of parameters and moments are exact.
#include <algorithm>
#include <cmath>
#include <memory>

#include "components/layers/layers.h"
#include "framework/nn/run_formats.h"
#include "framework/ops/gather.h"
#include "framework/ops/softmax.h"
#include "framework/precision/element_type.h"
#include "framework/precision/loss_scaler.h"
#include "framework/precision/unscale.h"
#include "tests/conformance/conformance_precision/replay.h"
#include "tests/conformance/conformance_precision/trained.h"

namespace replay {
namespace {

using namespace weft;

Tensor tensor_of(const json& values, Shape shape) {
  Tensor tensor = Tensor::zeros(shape);
  const std::vector<float> flat = flattened(values);
  std::copy(flat.begin(), flat.end(), tensor.data<float>());
  return tensor;
}

// Rows of a table by number: the network's first layer.
Forward embed(Context& ctx, const Model& model, const Value& input) {
  const Ragged& ids = std::get<Ragged>(input);
  const Parameter& table = model.param("E");
  Ragged y{ctx.result<GatherRows>({ids.data.dim(0), table.value.dim(1)}, table.value), ids.lengths};
  ctx.run<GatherRows>(table.value, ids.data, y.data.view());
  return {y, [&table, rows = ids.data](Context& ctx, const Value& dy) -> Value {
            ctx.run<ScatterAddRows>(std::get<Ragged>(dy).data, rows, Model::grad(ctx, table).view(),
                                    1.0F);
            return {};
          }};
}

ModelPtr network(const json& record) {
  const json &dims = record.at("dims"), &weights = record.at("weights");
  const std::int64_t v = dims.at("V"), d = dims.at("D"), h = dims.at("H"), p = dims.at("P"),
                     c = dims.at("C");
  auto table = std::make_shared<Model>("embed", embed);
  table->set_param("E", tensor_of(weights.at("E.weight"), {v, d}));
  const ModelPtr maxout = layers::maxout({.outputs = h, .inputs = 3 * d, .pieces = p});
  maxout->set_param("W", tensor_of(weights.at("W.weight"), {h, p, 3 * d}));
  maxout->set_param("b", tensor_of(weights.at("W.bias"), {h, p}));
  const ModelPtr norm = layers::layer_norm(h);
  norm->set_param("G", tensor_of(weights.at("n.weight"), {h}));
  norm->set_param("b", tensor_of(weights.at("n.bias"), {h}));
  const ModelPtr output = layers::linear({.outputs = c, .inputs = h});
  output->set_param("W", tensor_of(weights.at("O.weight"), {c, h}));
  output->set_param("b", tensor_of(weights.at("O.bias"), {c}));
  return layers::chain({table, layers::with_array(layers::expand_window(1), 1),
                        layers::with_array(layers::chain({maxout, norm, output}))});
}

PrecisionPolicy policy_for(const std::string& level, const json& row) {
  PrecisionSettings settings;
  settings.level = level.substr(0, 2);
  settings.dtype = level.ends_with("bf16") ? LowFormat::bf16 : LowFormat::fp16;
  if (level.find("lowstate") != std::string::npos) settings.optimizer_state = Width::low;
  settings.init_scale = number(row.at("loss_scale").at(0));
  return make_precision_policy(settings);
}

// One network in training.
class SmallNet {
 public:
  SmallNet(const json& record, const std::string& level, const json& row)
      : policy_(policy_for(level, row)), formats_(policy_), model_(network(record)) {
    model_->name_sites("net");
    formats_.add(*model_);
    formats_.narrow_weights();
    if (const auto settings = policy_.scaling()) scaler_.emplace(*settings);
    read_batch(record);
    int number = 0;
    for (Model* node : model_->walk()) {
      for (const auto& parameter : node->params()) {
        named_.push_back({std::to_string(number++) + parameter->name, parameter.get()});
      }
    }
    optimizer_ = built_optimizer(optimizer_block(record, row));
    Notices notices;
    const double eps = optimizer_eps(policy_, optimizer_->eps(), notices);
    if (storage_of(policy_).moments == Stored::low) {
      optimizer_->keep_low_moments(formats_.low(), eps);
    }
    ctx_.follow(&formats_);
  }

  // One step; its loss. `applied` says whether it changed anything.
  double step(bool& applied) {
    const float scale = scaler_ ? scaler_->scale() : 1.0F;
    formats_.copies().refresh();
    Gradients gradients;
    CounterMasks masks(0, 0);
    ctx_.pass().train(0.0, gradients, masks);
    const double loss = pass(scale);
    bool finite = true;
    for (const NamedParameter& one : named_) {
      const auto numbers = gradients.numbers(*one.parameter);
      const float inverse = scaler_ ? scaler_->inverse_scale() : 1.0F;
      finite = check_and_unscale(numbers, inverse) && finite;
    }
    applied = finite;
    if (finite) optimizer_->step(optimizer_ctx_, named_, gradients);
    const GradientStatus status = status_of(finite);
    if (scaler_) scaler_->update({&status, 1});
    ctx_.end_step();
    return loss;
  }

  // The format in which the model holds a parameter, and that of its moments.
  std::string stored(std::size_t i) {
    const Tensor& value = named_[i].parameter->value;
    if (policy_.cast_mode() != CastMode::whole_model) return "f32";
    formats_.copies().refresh();
    const Tensor* copy = formats_.copies().find(value.cview().data);
    return std::string(name_of(format_of(copy != nullptr ? copy->dtype() : value.dtype())));
  }
  std::string moments(std::size_t i) const {
    return std::string(name_of(format_of(optimizer_->states().at(named_[i].name).mom1.dtype())));
  }
  std::size_t parameters() const { return named_.size(); }

 private:
  void read_batch(const json& record) {
    std::vector<std::int32_t> ids;
    for (const json& row : record.at("ids")) {
      for (const json& id : row) ids.push_back(id);
      ids_.lengths.push_back(static_cast<std::int64_t>(row.size()));
    }
    ids_.data = Tensor::zeros({static_cast<std::int64_t>(ids.size()), 1}, DType::i32);
    std::copy(ids.begin(), ids.end(), ids_.data.data<std::int32_t>());
    for (const json& row : record.at("gold")) {
      for (const json& label : row) gold_.push_back(label);
    }
  }

  static Object optimizer_block(const json& record, const json& row) {
    Object block;
    block.set("@optimizers", "Adam.v1");
    block.set("learn_rate", number(record.at("lr")));
    block.set("beta1", 0.9);
    block.set("beta2", 0.999);
    block.set("eps", number(row.at("eps")));
    block.set("grad_clip", 0.0);
    block.set("use_averages", false);
    return block;
  }

  // Forward, the mean cross entropy in f32, and back with scaled gradients.
  double pass(float scale) {
    Forward forward = (*model_)(ctx_, ids_);
    const Ragged& logits = std::get<Ragged>(forward.output);
    Tensor p = ctx_.result<SoftmaxForward>(logits.data.shape(), logits.data);
    ctx_.run<SoftmaxForward>(logits.data, 1.0F, p.view());
    const auto count = static_cast<float>(gold_.size());
    double loss = 0;
    for (std::size_t i = 0; i < gold_.size(); ++i) {
      float* row = p.view().row<float>(static_cast<std::int64_t>(i));
      loss -= std::log(row[gold_[i]]) / count;
      row[gold_[i]] -= 1.0F;
      for (std::int64_t j = 0; j < p.dim(1); ++j) row[j] = row[j] / count * scale;
    }
    forward.backward(ctx_, Ragged{p, ids_.lengths});
    return loss;
  }

  PrecisionPolicy policy_;
  RunFormats formats_;
  ModelPtr model_;
  std::optional<LossScaler> scaler_;
  Ragged ids_;
  std::vector<int> gold_;
  std::vector<NamedParameter> named_;
  OptimizerPtr optimizer_;
  Context ctx_, optimizer_ctx_;
};

// Losses of steps that were not applied say nothing new: those before an applied step count.
std::vector<double> applied_losses(const json& row) {
  std::vector<double> losses;
  for (const json& loss : row.at("losses")) {
    const double value = number(loss);
    if (losses.empty() || losses.back() != value) losses.push_back(value);
  }
  return losses;
}

void check_losses(const std::vector<double>& got, const std::string& level, const json& row,
                  Faults& faults) {
  const std::vector<double> recorded = applied_losses(row);
  const bool bf16 = level.ends_with("bf16");
  faults.expect_near(got.front(), recorded.front(), bf16 ? 1e-2 : 1e-3, "first loss");
  if (level.find("lowstate") != std::string::npos) return;  // a warning, not a target
  const std::size_t most = std::min<std::size_t>({10, recorded.size(), got.size()});
  for (std::size_t i = 0; i < most; ++i) {
    faults.expect_near(got[i], recorded[i], (bf16 ? 0.02 : 0.005) * recorded[i],
                       fmt::format("loss {}", i));
  }
}

void check_level(const json& record, const std::string& level, const json& row, Tally& tally) {
  SmallNet net(record, level, row);
  Faults faults;
  std::vector<double> losses;
  int skipped = 0;
  for (int i = 0; i < record.at("steps").get<int>(); ++i) {
    bool applied = false;
    const double loss = net.step(applied);
    if (!std::isfinite(loss)) faults.add(fmt::format("loss of step {} is {}", i, loss));
    applied ? losses.push_back(loss) : static_cast<void>(++skipped);
  }
  check_losses(losses, level, row, faults);
  // f32 weight gradients overflow later than the reference's 16-bit ones.
  if (skipped > row.at("skipped").get<int>()) faults.add(fmt::format("{} steps skipped", skipped));
  const char* names[] = {"E.weight", "W.weight", "W.bias", "n.weight",
                         "n.bias",   "O.weight", "O.bias"};
  for (std::size_t i = 0; i < net.parameters(); ++i) {
    const std::string recorded = row.at("param_dtypes").at(names[i]);
    faults.expect(net.stored(i), recorded, std::string("format of ") + names[i]);
    faults.expect(net.moments(i), row.at("optimizer_state_dtype").get<std::string>(),
                  std::string("moments of ") + names[i]);
  }
  tally.record("levels_small_net " + record.at("name").get<std::string>() + " " + level, faults);
}

}  // namespace

void replay_levels(const std::filesystem::path& folder, Tally& tally) {
  for_each_record(folder / "levels_small_net.json", "cases", tally, [&](const json& record) {
    for (const auto& level : record.at("levels").items()) {
      check_level(record, level.key(), level.value(), tally);
    }
  });
}

}  // namespace replay
