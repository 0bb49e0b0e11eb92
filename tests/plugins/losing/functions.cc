// An encoder and a logger, with phases in which a rank is lost.
#include <memory>

#include "components/layers/layers.h"
#include "framework/training/logger.h"
#include "registry/functions/registration.h"
#include "tests/plugins/losing/losing.h"

namespace losing {
namespace {

constexpr int kWidth = 16;

weft::Forward forward(weft::Context& ctx, const weft::Model&, const weft::Value& input) {
  if (!ctx.training()) {
    met("evaluate");
    return {input, {}};
  }
  return {input, [](weft::Context&, const weft::Value& gradient) {
            met("backward");
            return gradient;
          }};
}

struct EncoderSettings {};

template <class V>
void fields(V&, EncoderSettings&) {}

weft::ModelPtr encoder(const EncoderSettings&) {
  const weft::ModelPtr layer =
      weft::layers::chain({weft::layers::expand_window(1),
                           weft::layers::relu({.outputs = kWidth, .inputs = 3 * kWidth}),
                           std::make_shared<weft::Model>("losing", forward)});
  layer->set_dim("nO", kWidth);
  return weft::layers::with_array(layer, 1);
}

// Checkpoints ask it where the log stands, and the console has the run's table no more.
class LosingLog final : public weft::LogSession {
 public:
  void evaluated(const weft::TrainingInfo&) override {}
  weft::Node position() override {
    met("save");
    return nullptr;
  }
};

struct LoggerSettings {};

template <class V>
void fields(V&, LoggerSettings&) {}

weft::Logger logger(const LoggerSettings&) {
  return {[](const weft::LogSetup&) { return std::make_unique<LosingLog>(); }};
}

const weft::Registration of_encoder{"architectures", "losing.Encoder.v1", encoder,
                                    "one layer over windows of tokens"};
const weft::Registration of_logger{"losing.Logger.v1", logger, "nothing"};

}  // namespace
}  // namespace losing
