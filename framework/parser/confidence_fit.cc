#include "framework/parser/confidence_fit.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/pretty_json.h"
#include "framework/ops/context.h"
#include "framework/parser/entity_recognizer.h"
#include "framework/pipeline/component_name.h"
#include "framework/pipeline/pipeline_hashes.h"
#include "framework/pipeline/prediction_groups.h"
#include "framework/pipeline/slots.h"
#include "framework/text/judged_entities.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {

namespace {

namespace fs = std::filesystem;

using Evidence = std::vector<std::vector<EntityEvidence>>;

// The pipeline up to the recognizer, which says by which scores it found its entities.
Evidence annotate_up_to(const Language& nlp, const EntityRecognizer& recognizer, Context& ctx,
                        std::span<Doc* const> docs) {
  Slots slots(ctx);
  ctx.pass().predict();
  ctx.pass().set_slots(&slots);
  Evidence evidence;
  for (const NamedComponent& one : nlp.pipeline()) {
    if (one.component.get() == &recognizer) {
      evidence = recognizer.predict_with_evidence(ctx, docs);
      break;
    }
    if (one.enabled) one.component->predict(ctx, docs, slots);
  }
  ctx.pass().set_slots(nullptr);
  ctx.end_step();
  return evidence;
}

// An entity is looked up by place and label, for judging happens on the reference's side, where
// entities of the prediction come in another order.
// The entities of the group that the annotation says something of.
void judge(std::span<const ExamplePtr> group, Evidence evidence,
           std::vector<JudgedEvidence>& judged) {
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (!group[i]->reference().has_ents()) continue;
    std::map<std::tuple<int, int, StringId>, ActionScores*> actions;
    for (EntityEvidence& one : evidence[i]) {
      actions[{one.entity.start, one.entity.end, one.entity.label}] = &one.actions;
    }
    for (const JudgedEntity& one : judged_entities(*group[i]).predicted) {
      const auto found = actions.find({one.entity.start, one.entity.end, one.entity.label});
      if (found == actions.end() || one.judgement == Judgement::unknown) continue;
      judged.push_back({std::move(*found->second), one.judgement == Judgement::right});
    }
  }
}

std::vector<JudgedEvidence> judged_evidence(const Language& nlp, const EntityRecognizer& recognizer,
                                            ExampleStream& examples) {
  Context ctx;
  std::vector<JudgedEvidence> judged;
  std::vector<ExamplePtr> group;
  PredictionGroups groups;
  const auto flush = [&] {
    std::vector<Doc*> docs;
    docs.reserve(group.size());
    for (const ExamplePtr& example : group) docs.push_back(&example->predicted());
    Evidence evidence = annotate_up_to(nlp, recognizer, ctx, docs);
    for (const ExamplePtr& example : group) example->align_again();
    judge(group, std::move(evidence), judged);
    group.clear();
  };
  while (const ExamplePtr example = examples.next()) {
    group.push_back(std::make_shared<Example>(*example));  // somebody else may hold it
    if (groups.add(static_cast<std::size_t>(example->size()))) flush();
  }
  if (!group.empty()) flush();
  return judged;
}

EntityRecognizer* recognizer_of(const NamedComponent& component) {
  return dynamic_cast<EntityRecognizer*>(component.component.get());
}

}  // namespace

std::vector<std::string> greedy_recognizers(const Language& nlp) {
  std::vector<std::string> names;
  for (const NamedComponent& one : nlp.pipeline()) {
    const EntityRecognizer* recognizer = recognizer_of(one);
    if (one.enabled && recognizer != nullptr && !recognizer->beam().searches()) {
      names.push_back(one.name);
    }
  }
  return names;
}

bool gives_confidences(const Language& nlp) {
  return std::any_of(nlp.pipeline().begin(), nlp.pipeline().end(), [](const NamedComponent& one) {
    const EntityRecognizer* recognizer = recognizer_of(one);
    return one.enabled && recognizer != nullptr &&
           (recognizer->beam().searches() || recognizer->calibration());
  });
}

std::optional<SpanCalibration> calibrate(Language& nlp, const std::string& component,
                                         ExampleStream& examples, const std::string& data) {
  auto* recognizer = dynamic_cast<EntityRecognizer*>(nlp.find(component));
  if (recognizer == nullptr || recognizer->beam().searches()) {
    throw Error(ErrorKind::usage,
                fmt::format("'{}' is no greedy recognizer of entities (factory ner) of the "
                            "pipeline",
                            component));
  }
  nlp.check_initialized();
  std::optional<SpanCalibration> calibration;
  const std::vector<JudgedEvidence> entities = judged_evidence(nlp, *recognizer, examples);
  if (entities.size() >= kFewestJudged) {
    calibration = fit_calibration(entities);
    calibration->data = data;
  }
  recognizer->set_calibration(calibration);
  return calibration;
}

void save_calibration(const SpanCalibration& calibration, const std::string& component,
                      const fs::path& pipeline) {
  // The pipeline is copied and replaced as a whole: a crash leaves the old one or the new one.
  AtomicFolder target(pipeline);
  copy_files(pipeline, target.path());
  write_calibration(calibration, component_path(target.path(), component));
  const fs::path file = target.path() / "meta.json";
  std::optional<Node> meta = parse_json(read_file(file, kMostSettings));
  if (meta && meta->is_object() && meta->as_object().find(kFileHashes) != nullptr) {
    meta->as_object().set(std::string(kFileHashes), hash_files(target.path(), "meta.json"));
    write_file(file, to_pretty_json(meta->as_object()));
  }
  target.commit();
}

}  // namespace weft
