// spacy.TransitionBasedParser.v2: the network of entity recognizer and dependency parser. Token
// vectors, projected to the hidden width; a lower layer over the features of a state; an upper
// layer that scores classes (docs/ner-model.md 1.4; spaCy 3.8).
#include <array>
#include <optional>
#include <string_view>

#include "components/layers/layers.h"
#include "framework/nn/initializer.h"
#include "framework/nn/model.h"
#include "framework/nn/model_limits.h"
#include "framework/ops/arc_moves.h"
#include "framework/parser/precomputable_affine.h"
#include "framework/parser/token_projection.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

enum class StateType { parser, ner };
constexpr std::array<std::string_view, 2> enum_names(StateType) {
  return {"parser", "ner"};
}

struct TransitionBasedParser {
  ModelPtr tok2vec;
  StateType state_type = StateType::ner;
  bool extra_state_tokens = false;
  int hidden_width = 0;
  int maxout_pieces = 0;
  bool use_upper = false;
  std::optional<int> nO;
};

template <class V>
void first_fields(V& v, TransitionBasedParser& c) {
  v.required("tok2vec", c.tok2vec, "gives a vector for each token");
  v.required("state_type", c.state_type,
             "\"ner\": of the entity recognizer, \"parser\": of the dependency parser");
  v.required("extra_state_tokens", c.extra_state_tokens,
             "look at more tokens of a state: 6 instead of 3 (ner), 13 instead of 8 (parser)");
  v.required("hidden_width", c.hidden_width, "width of the hidden layer", closed_range(1, kWidest));
  v.required("maxout_pieces", c.maxout_pieces,
             "pieces of the hidden layer; 1 is rectified in training and beams but not in greedy "
             "prediction, use 2 or 3",
             closed_range(1, 255));
}

constexpr const char* kUpper =
    "score classes with a layer of their own; else hidden units are the classes";
constexpr const char* kClasses = "number of classes, null: from the data";

template <class V>
void fields(V& v, TransitionBasedParser& c) {
  first_fields(v, c);
  v.required("use_upper", c.use_upper, kUpper);
  v("nO", c.nO, kClasses, closed_range(1, kWidest));
}

struct TransitionBasedParserV1 {
  TransitionBasedParser settings{.tok2vec = nullptr, .use_upper = true, .nO = {}};
};

template <class V>
void fields(V& v, TransitionBasedParserV1& c) {
  first_fields(v, c.settings);
  v("use_upper", c.settings.use_upper, kUpper);
  v("nO", c.settings.nO, kClasses, closed_range(1, kWidest));
}

// Docs to one matrix of projected token vectors.
ModelPtr projection(const ModelPtr& tok2vec, int width) {
  layers::LinearSettings settings;
  settings.outputs = width;
  settings.inputs = tok2vec->find_dim("nO");
  const ModelPtr linear = layers::linear(settings);
  ModelPtr chain = layers::chain({tok2vec, layers::list2array(), linear});
  chain->set_dim("nO", width);
  TokenProjection::mark(*chain, tok2vec, linear);
  return chain;
}

// Starts at zero, so that no class is preferred.
ModelPtr output_layer(std::optional<std::int64_t> classes, int width) {
  layers::LinearSettings settings;
  settings.outputs = classes;
  settings.inputs = width;
  settings.init_w = zero_init();
  return layers::linear(settings);
}

// The parts one after the other. Sizes follow from dimensions, so nothing has to run: a listener
// has no vectors yet.
void initialize(Context& ctx, Model& parser, const Value& input, const Value&, InitRandom& random) {
  const TokenProjection below(parser.ref("tok2vec"));
  below.network.initialize(ctx, input, {}, random);
  below.linear.set_dim("nI", below.network.dim("nO"));
  below.linear.initialize(ctx, {}, {}, random);
  parser.ref("lower").initialize(ctx, {}, {}, random);
  parser.ref("upper").initialize(ctx, {}, {}, random);
}

[[noreturn]] Forward run_by_recognizer(Context&, const Model&, const Value&) {
  throw Error(ErrorKind::internal, "parser_model is run by the component around it");
}

// The tokens of a state that it is scored by.
int feature_count(const TransitionBasedParser& c) {
  if (c.state_type == StateType::ner) return c.extra_state_tokens ? 6 : 3;
  return c.extra_state_tokens ? transition::kManyArcFeatures : transition::kFewArcFeatures;
}

ModelPtr transition_based_parser(const TransitionBasedParser& c) {
  const std::optional<std::int64_t> classes = c.nO;
  const ModelPtr tok2vec = projection(c.tok2vec, c.hidden_width);
  const ModelPtr lower = precomputable_affine(c.use_upper ? c.hidden_width : classes,
                                              c.hidden_width, feature_count(c), c.maxout_pieces);
  const ModelPtr upper = c.use_upper ? output_layer(classes, c.hidden_width) : layers::noop();
  auto parser = std::make_shared<Model>("parser_model", run_by_recognizer, initialize);
  parser->declare_dim("nI");
  parser->layers() = {tok2vec, lower, upper};
  parser->set_ref("tok2vec", tok2vec);
  parser->set_ref("lower", lower);
  parser->set_ref("upper", upper);
  parser->set_fixed_attr("has_upper", c.use_upper);
  return parser;
}

ModelPtr transition_based_parser_v1(const TransitionBasedParserV1& c) {
  return transition_based_parser(c.settings);
}

const Registration registered{"spacy.TransitionBasedParser.v2", transition_based_parser,
                              "the network of a transition-based parser"};
const Registration registered_v1{"spacy-legacy.TransitionBasedParser.v1",
                                 transition_based_parser_v1, "the same, with an older signature"};

}  // namespace

}  // namespace weft
