#include "framework/pipeline/language_notes.h"

#include <utility>

#include "framework/pipeline/load_config.h"
#include "framework/pipeline/pipeline_settings.h"
#include "registry/building/resolve.h"

namespace weft {

Problems language_notes(const Config& filled, const Catalogue& catalogue) {
  const Config values = expanded(filled);
  Problems unused;  // told where the config is filled or built
  const auto settings = resolve_section<NlpSettings>(values, "nlp", catalogue, unused);
  if (!settings || !settings->tokenizer.note) return {};
  std::string note = settings->tokenizer.note(settings->lang);
  if (note.empty()) return {};
  Problem problem;
  problem.severity = Severity::note;
  problem.place = values.find("nlp.lang")->origin;
  problem.path = "nlp.lang";
  problem.message = std::move(note);
  return {std::move(problem)};
}

}  // namespace weft
