// Pipelines that are small enough to be read for every input of a fuzz target.
#pragma once

#include <memory>
#include <string>

#include "components/builtin.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/load_config.h"
#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"
#include "tests/components/small_config.h"
#include "tests/fuzz/fuzz_folder.h"

namespace weft::fuzz {

// One folder for the process, in which `saved_pipeline` saves.
inline const FuzzFolder& fuzz_folder() {
  static const FuzzFolder folder;
  return folder;
}

inline std::shared_ptr<Language> pipeline_of(std::string_view config) {
  Catalogue catalogue;
  add_builtin(catalogue);
  Problems problems;
  const Config read = read_cfg(config, "fuzz.cfg", problems, {.interpolate = false});
  const Config filled = fill_pipeline_config(read, catalogue, problems);
  if (has_errors(problems)) throw Error(ErrorKind::config, problems);
  return build_pipeline(filled, catalogue);
}

// Without components.
inline std::shared_ptr<Language> blank_pipeline() {
  return pipeline_of("[nlp]\nlang = \"xx\"\npipeline = []\n");
}

// With an entity recognizer that has not been trained.
inline std::shared_ptr<Language> recognizer_pipeline() {
  return pipeline_of(
      small::nlp_section(R"(["ner"])", "xx") +
      small::ner_section(small::hash_embed_cnn({.width = 4, .depth = 1, .rows = 8, .pieces = 1}),
                         {.hidden = 4, .pieces = 1, .upper = false}));
}

// The same, saved into `fuzz_folder`.
inline std::shared_ptr<Language> saved_pipeline(std::shared_ptr<Language> nlp) {
  nlp->to_disk(fuzz_folder().path());
  return nlp;
}

}  // namespace weft::fuzz
