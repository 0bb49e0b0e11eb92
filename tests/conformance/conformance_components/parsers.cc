#include "tests/conformance/conformance_components/parsers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <vector>

#include "framework/ops/context.h"
#include "framework/parser/dependency_parser.h"
#include "framework/parser/entity_recognizer.h"
#include "framework/pipeline/slots.h"
#include "tests/conformance/conformance_components/document.h"

namespace weft::conformance {
namespace {

// Suggested with the records: of the score of the best analysis; those far behind it are known only
// roughly.
constexpr double kScoreLimit = 1e-5;
constexpr double kFarBehind = 5;

const std::set<std::string> kTreeFields = {"heads", "deps", "sent_starts"};

bool is_parser(const NamedComponent& component) {
  return dynamic_cast<const TransitionComponent*>(component.component.get()) != nullptr;
}

std::vector<BeamAnalyses> beams_of(const Component& component, Context& ctx, const Doc& doc) {
  const Doc* const docs[] = {&doc};
  const auto* parser = dynamic_cast<const DependencyParser*>(&component);
  const auto* recognizer = dynamic_cast<const EntityRecognizer*>(&component);
  return parser != nullptr ? parser->beams(ctx, docs) : recognizer->beams(ctx, docs);
}

// The analysis that stands at place i, or one of a score so near that last bits of sums, which
// differ from processor to processor, decide which of the two comes first. Each is found once.
Json wanted_at(const Json& wanted, std::size_t i, const Json& found, double limit,
               std::vector<bool>& used) {
  const Json& score = wanted.at(i).at("score");
  std::size_t place = i;
  for (std::size_t j = 0; j < wanted.size() && limit > 0 && !score.is_null(); ++j) {
    const Json& other = wanted.at(j).at("score");
    const bool is_near =
        !other.is_null() && std::abs(other.get<double>() - score.get<double>()) <= limit;
    if (is_near && !used[j] && wanted.at(j).at("actions") == found) {
      place = j;
      break;
    }
  }
  used[place] = true;
  return wanted.at(place).at("actions");
}

void check_beam(const BeamAnalyses& found, const Json& wanted, const std::string& record,
                const std::string& field, Checks& checks) {
  if (found.size() != wanted.size()) {
    checks.equal(record, field, found.size(), wanted.size());
    return;
  }
  std::vector<bool> used(found.size(), false);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Json& score = wanted.at(i).at("score");
    const double best = wanted.at(0).at("score");
    const bool is_known = !score.is_null() && best - score.get<double>() < kFarBehind;
    const std::string place = field + "/" + std::to_string(i);
    if (is_known) {
      checks.near(record, place, found[i].score, score, kScoreLimit * std::abs(best));
    }
    const Json actions = found[i].classes;
    checks.equal(record, place + "/actions", actions,
                 wanted_at(wanted, i, actions, kScoreLimit * std::abs(best), used));
  }
}

}  // namespace

bool parses_twice(const Language& nlp) {
  return std::count_if(nlp.pipeline().begin(), nlp.pipeline().end(), is_parser) > 1;
}

void check_parsers(const Language& nlp, const Json& line, const Doc& input,
                   const std::string& record, Checks& checks) {
  for (const NamedComponent& parser : nlp.pipeline()) {
    if (!is_parser(parser)) continue;
    Doc doc = input;
    Doc* const docs[] = {&doc};
    Context ctx;
    Slots slots(ctx);
    ctx.pass().predict();
    ctx.pass().set_slots(&slots);
    const std::string field = parser.name + "_beam";
    for (const NamedComponent& one : nlp.pipeline()) {
      if (is_parser(one) && one.name != parser.name) continue;
      if (one.name == parser.name && line.contains(field)) {
        check_beam(beams_of(*one.component, ctx, doc).at(0), line.at(field), record, field, checks);
      }
      one.component->predict(ctx, docs, slots);
    }
    const bool gives_trees =
        dynamic_cast<const DependencyParser*>(parser.component.get()) != nullptr;
    for (const auto& [name, wanted] : line.at("expect").items()) {
      if (kTreeFields.contains(name) != gives_trees) continue;
      checks.equal(record, name, field_of(doc, name), wanted);
    }
  }
}

}  // namespace weft::conformance
