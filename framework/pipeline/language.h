// A pipeline: tokenizer, components in order, and the vocabulary and config they share.
//
//   auto nlp = weft::load_pipeline("model-best", catalogue);
//   weft::Doc doc = (*nlp)("Ada Lovelace lived in London.");
//
// A loaded pipeline may be used by many threads at once: all const functions are safe for that.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/pipeline/batch.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/scores.h"
#include "framework/pipeline/settings.h"
#include "framework/pipeline/vocab_files.h"
#include "framework/text/doc.h"
#include "framework/text/example.h"
#include "registry/config.h"
#include "registry/export.h"

namespace weft {

class Tokenizer;
class WorkerPool;

// A component with its place in the config.
struct NamedComponent {
  std::string name;
  ComponentPtr component;
  bool enabled = true;   // false: loaded but not run
  bool sourced = false;  // came with its weights from another pipeline
};

class WEFT_API Language {
 public:
  // An empty pipeline. `config` is filled and keeps its variables; see build_pipeline.
  Language(Config config, NlpSettings settings);
  ~Language();
  Language(const Language&) = delete;
  Language& operator=(const Language&) = delete;

  const std::string& lang() const { return settings_.lang; }
  const Config& config() const { return config_; }
  Config& config() { return config_; }
  const NlpSettings& settings() const { return settings_; }
  const std::shared_ptr<const Vocab>& vocab() const { return const_vocab_; }
  Vocab& mutable_vocab() { return *vocab_; }  // only before other threads use it
  const Tokenizer& tokenizer() const { return *tokenizer_; }
  void set_tokenizer(std::shared_ptr<const Tokenizer> tokenizer);

  // ---- components
  std::span<const NamedComponent> pipeline() const { return pipeline_; }
  void add(NamedComponent component);            // at the end; binds it
  Component* find(std::string_view name) const;  // null if there is none
  // The names of the enabled components that have parameters, without `frozen`.
  std::vector<std::string> trainable(std::span<const std::string> frozen = {}) const;

  // ---- use
  Doc make_doc(std::string_view text) const;  // tokens only
  Doc operator()(std::string_view text) const;
  // Annotates documents in place, on this thread.
  void annotate(std::span<Doc* const> docs) const;
  // The same on the threads of `pool`. Groups of documents depend on the documents alone.
  void annotate(std::span<Doc* const> docs, WorkerPool& pool) const;
  // Predicts on the examples and compares with their references. The scores of tokenization and of
  // every component, and `speed` in words per second.
  Scores evaluate(std::span<Example> examples, WorkerPool& pool) const;

  // ---- meta.json beyond what follows from the pipeline: name, version, performance ...
  const Object& meta() const { return meta_; }
  Object& meta() { return meta_; }

  // Writes the pipeline's folder in one step, replacing one that is there. Throws Error(system).
  void to_disk(const std::filesystem::path& folder) const;
  // Reads the state (vocabulary, tokenizer, components) of a folder into this pipeline, which was
  // built from the folder's config. Throws Error(data), Error(system).
  void from_disk(const std::filesystem::path& folder);

 private:
  void write_to(const std::filesystem::path& folder) const;

  Config config_;
  NlpSettings settings_;
  Object meta_;
  std::shared_ptr<Vocab> vocab_;
  std::shared_ptr<const Vocab> const_vocab_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  VocabFiles vocab_files_;  // of the folder it was read from
  std::vector<NamedComponent> pipeline_;
};

}  // namespace weft
