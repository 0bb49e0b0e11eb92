#include "tests/conformance/conformance_pipeline/trace_check.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "framework/ops/context.h"
#include "framework/parser/entity_parses.h"
#include "framework/parser/entity_recognizer.h"
#include "framework/parser/parser_network.h"
#include "framework/parser/token_marks.h"
#include "framework/pipeline/slots.h"

namespace weft::conformance {

namespace {

constexpr double kTolerance = 1e-4;

std::optional<std::string> compare(const char* what, const std::vector<float>& expected,
                                   const std::vector<float>& found) {
  if (expected.size() > found.size()) {
    return fmt::format("{}: {} numbers instead of {}", what, found.size(), expected.size());
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!(std::abs(expected[i] - found[i]) <= kTolerance)) {
      return fmt::format("{}[{}]: {} instead of {}", what, i, found[i], expected[i]);
    }
  }
  return std::nullopt;
}

// The entity recognizer with everything before it run on one document.
struct Run {
  Context ctx;
  Slots slots{ctx};
  const EntityRecognizer* recognizer = nullptr;

  Run(const Language& nlp, Doc& doc) {
    ctx.pass().predict();
    ctx.pass().set_slots(&slots);
    Doc* const docs[] = {&doc};
    for (const NamedComponent& named : nlp.pipeline()) {
      recognizer = dynamic_cast<const EntityRecognizer*>(named.component.get());
      if (recognizer != nullptr) return;
      named.component->predict(ctx, docs, slots);
    }
  }
  const Model& parser() const { return *recognizer->models().front(); }
};

// One matrix of all rows, whatever form the tok2vec gives them in.
std::vector<float> numbers_of(const Value& value) {
  std::vector<float> numbers;
  const auto append = [&](const Tensor& tensor) {
    const float* data = tensor.data<float>();
    numbers.insert(numbers.end(), data, data + tensor.size());
  };
  if (const auto* tensor = std::get_if<Tensor>(&value)) append(*tensor);
  if (const auto* ragged = std::get_if<Ragged>(&value)) append(ragged->data);
  if (const auto* list = std::get_if<TensorList>(&value)) {
    for (const Tensor& tensor : *list) append(tensor);
  }
  return numbers;
}

std::vector<float> norms_of(const std::vector<float>& rows, std::size_t count) {
  std::vector<float> norms;
  const std::size_t width = rows.size() / count;
  for (std::size_t r = 0; r < count; ++r) {
    const float* row = rows.data() + r * width;
    norms.push_back(std::sqrt(std::inner_product(row, row + width, row, 0.0F)));
  }
  return norms;
}

// Scores of the first state: the first token's features and the pad for all others.
std::vector<float> first_scores(const Model& parser, const float* vector) {
  const ScorerShape shape = scorer_shape(parser);
  const Model& lower = parser.ref("lower");
  const auto width = static_cast<std::size_t>(lower.dim("nI"));
  const float* weight = lower.param("W").value.data<float>();
  const float* pad = lower.param("pad").value.data<float>();
  const float* bias = lower.param("b").value.data<float>();
  std::vector<float> hidden;
  for (int o = 0; o < shape.hidden; ++o) {
    float best = -INFINITY;
    for (int p = 0; p < shape.pieces; ++p) {
      const int at = o * shape.pieces + p;
      const float* row = weight + static_cast<std::size_t>(at) * width;
      float sum = bias[at] + std::inner_product(row, row + width, vector, 0.0F);
      for (int f = 1; f < shape.features; ++f) sum += pad[f * shape.slice() + at];
      best = std::max(best, sum);
    }
    hidden.push_back(best);
  }
  if (!shape.has_upper) return hidden;
  const float* upper = parser.ref("upper").param("W").value.data<float>();
  const float* upper_bias = parser.ref("upper").param("b").value.data<float>();
  std::vector<float> scores;
  for (int k = 0; k < shape.classes; ++k) {
    scores.push_back(std::inner_product(hidden.begin(), hidden.end(),
                                        upper + std::ptrdiff_t{k} * shape.hidden, upper_bias[k]));
  }
  return scores;
}

std::optional<std::string> check_names(const ActionTable& table,
                                       const std::vector<std::string>& expected) {
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const int position = static_cast<int>(k);
    if (position >= table.size() || table.name(position) != expected[k]) {
      return fmt::format("class {} is not {}", k, expected[k]);
    }
  }
  return std::nullopt;
}

std::optional<std::string> check_moves(Run& run, const Doc& doc, const Tensor& vectors,
                                       const std::vector<int>& expected) {
  std::vector<transition::Action> actions;
  for (const ActionTable::Class& one : run.recognizer->action_table().classes()) {
    actions.push_back({one.move, string_id(one.label)});
  }
  const Doc* docs[] = {&doc};
  const TokenMarks marks(docs);
  const auto states = first_states(docs);
  const auto taken = parse_greedily(run.ctx, run.parser(), vectors,
                                    entity_parses({actions, {}, marks.view()}, states));
  if (taken.front() != std::vector<std::int32_t>(expected.begin(), expected.end())) {
    return "other moves";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> check_trace(const Language& nlp, const Record& record) {
  const Trace& trace = *record.trace;
  Doc doc = record.input(nlp);
  const auto tokens = static_cast<std::size_t>(doc.size());
  Run run(nlp, doc);
  if (run.recognizer == nullptr) return "no entity recognizer in the pipeline";
  const Doc* docs[] = {&doc};
  const Model& chain = run.parser().ref("tok2vec");
  const Value encoded = chain.layers().front()->predict(run.ctx, DocBatch(docs));
  const std::vector<float> rows = numbers_of(encoded);
  if (auto fault = compare("tok2vec_row0", trace.tok2vec_row0, rows)) return fault;
  if (auto fault = compare("tok2vec_norms", trace.tok2vec_norms, norms_of(rows, tokens))) {
    return fault;
  }
  const Tensor vectors = std::get<Tensor>(chain.predict(run.ctx, DocBatch(docs)));
  const auto scores = first_scores(run.parser(), vectors.data<float>());
  if (auto fault = compare("scores0", trace.scores0, scores)) return fault;
  if (auto fault = check_names(run.recognizer->action_table(), trace.action_names)) return fault;
  return check_moves(run, doc, vectors, trace.moves);
}

}  // namespace weft::conformance
