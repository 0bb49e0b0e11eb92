// The sections of a config that describe the pipeline: [nlp], [initialize], [system],
// [components.*]. Their `fields` are the schemas; source: docs/training.md, "Sections".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "framework/pipeline/byte_size.h"
#include "framework/pipeline/callback.h"
#include "framework/pipeline/tokenizer_factory.h"
#include "framework/pipeline/vectors_factory.h"
#include "framework/text/lookups.h"
#include "registry/functions/fields.h"
#include "registry/functions/schema.h"

namespace weft {

struct NlpSettings {
  std::string lang;
  std::vector<std::string> pipeline;
  std::vector<std::string> disabled;
  std::optional<Callback> before_creation;
  std::optional<Callback> after_creation;
  std::optional<Callback> after_pipeline_creation;
  std::optional<int> batch_size = 1000;
  TokenizerFactory tokenizer;
  VectorsFactory vectors;
};

template <class V>
void fields(V& v, NlpSettings& c) {
  v.required("lang", c.lang, "language code: en, de, ... or xx", strict);
  v("pipeline", c.pipeline, "names of the components, in order", strict);
  v("disabled", c.disabled, "components that are loaded but not run", strict);
  v("before_creation", c.before_creation, "called before the pipeline is made");
  v("after_creation", c.after_creation, "called once it has its tokenizer");
  v("after_pipeline_creation", c.after_pipeline_creation, "called once it has its components");
  v("batch_size", c.batch_size, "documents predicted together", at_least(1));
  v.required("tokenizer", c.tokenizer, "makes the tokenizer");
  v.required("vectors", c.vectors, "makes the table of word vectors");
}

struct InitializeSettings {
  std::optional<std::string> vectors;
  std::optional<std::string> init_tok2vec;
  std::optional<std::string> vocab_data;
  std::optional<Lookups> lookups;
  std::map<std::string, Argument> tokenizer;
  std::map<std::string, std::map<std::string, Argument>> components;
  std::optional<Callback> before_init;
  std::optional<Callback> after_init;
};

template <class V>
void fields(V& v, InitializeSettings& c) {
  v("vectors", c.vectors, "folder of a pipeline whose word vectors are copied", strict);
  v("init_tok2vec", c.init_tok2vec,
    "file with pretrained weights for the layer that [pretraining]"
    " names",
    strict);
  v("vocab_data", c.vocab_data, "JSON lines with entries for the vocabulary", strict);
  v("lookups", c.lookups, "tables for the vocabulary, such as norms");
  v("tokenizer", c.tokenizer, "settings for the tokenizer's initialisation",
    Ignored{"the tokenizer has nothing to initialise"});
  v("components", c.components, "settings for the initialisation of each component, by its name");
  v("before_init", c.before_init, "called before the pipeline is initialised");
  v("after_init", c.after_init, "called after it");
}

struct SystemSettings {
  std::optional<std::int64_t> seed = 0;
  std::optional<std::string> gpu_allocator;
  std::optional<ByteSize> memory;
  std::optional<ByteSize> gpu_memory;
};

template <class V>
void fields(V& v, SystemSettings& c) {
  v("seed", c.seed, "seed of all random numbers; null: 0");
  v("gpu_allocator", c.gpu_allocator, "allocator of another library",
    Ignored{"GPU memory is managed by weft itself"});
  v("memory", c.memory, "what training may take, such as \"2GB\"; null: no limit", not_filled);
  v("gpu_memory", c.gpu_memory, "what may be taken of the GPU's; null: no limit", not_filled);
}

// [system] of a config without variables; settings that nobody knows are left out. Throws
// Error(config) for what does not fit.
WEFT_API SystemSettings system_settings(const Config& values);

// A component taken from a saved pipeline.
struct SourceSettings {
  std::string source;
  std::optional<std::string> component;
  std::vector<std::string> replace_listeners;
};

template <class V>
void fields(V& v, SourceSettings& c) {
  v.required("source", c.source, "folder of the pipeline to take it from (or give a factory)");
  v("component", c.component, "its name there; null = the same");
  v("replace_listeners", c.replace_listeners,
    "paths of listeners that get a copy of the embedding");
}

// The schemas of all sections that have one.
WEFT_API const Schemas& pipeline_schemas();

}  // namespace weft
