// A pipeline: tokenizer, components in order, and the vocabulary and config they share.
//
//   auto nlp = weft::load("model-best");  // components/weft.h
//   weft::Doc doc = (*nlp)("Ada Lovelace lived in London.");
//
// A loaded pipeline may be used by many threads at once: all const functions are safe for that.
// docs/cpp-api.md shows how one is trained.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/pipeline/batch.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/pipeline_settings.h"
#include "framework/pipeline/scores.h"
#include "framework/text/doc.h"
#include "framework/text/example.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

class Catalogue;
class DeviceWeights;
class Optimizer;
class PackedCache;
class PackedWeights;
class RunFormats;
class Stream;
class Tokenizer;
class WorkerPool;

// A component with its place in the config.
struct NamedComponent {
  std::string name;
  ComponentPtr component;
  bool enabled = true;   // false: loaded but not run
  bool sourced = false;  // came with its weights from another pipeline
};

struct UpdateOptions {
  double drop = 0.0;                         // share of activations set to zero
  std::shared_ptr<Optimizer> sgd = nullptr;  // null: the pipeline's own, of [training.optimizer]
  Losses* losses = nullptr;                  // the losses are added to these
  std::vector<std::string> exclude = {};     // components that are left as they are
  std::vector<std::string> annotates = {};   // components whose predictions later ones see
  bool step = true;                          // false: the gradients wait for a later update
  int threads = 1;                           // never part of a result
};

struct PipeOptions {
  std::size_t batch_size = 0;  // texts taken at a time; 0: that of [nlp]
  int threads = 1;             // never part of a result
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
  const Tokenizer& tokenizer() const { return tokenizer_ ? *tokenizer_ : made_tokenizer(); }
  void set_tokenizer(std::shared_ptr<const Tokenizer> tokenizer);
  // One that is made when it is first asked for, which `from_disk` may spare. That is still before
  // other threads use the pipeline.
  void set_tokenizer(std::function<std::shared_ptr<const Tokenizer>()> make);

  // ---- components
  std::span<const NamedComponent> pipeline() const { return pipeline_; }
  // At the end; binds it. Throws Error(config) for a name that is none (component_name.h) or that
  // another component has.
  void add(NamedComponent component);
  Component* find(std::string_view name) const;  // null if there is none
  // The catalogue of [training] and [initialize]. Needed to train, not to predict.
  void set_catalogue(const Catalogue& catalogue);
  // The names of the enabled components that have parameters, without `frozen`.
  std::vector<std::string> trainable(std::span<const std::string> frozen = {}) const;

  // The sums of the enabled components' predicted_values.
  PredictedValues predicted_values() const;

  // ---- use; throws Error(usage) where a component has no parameters yet
  Doc make_doc(std::string_view text) const;  // tokens only
  Doc operator()(std::string_view text) const;
  // Texts to documents, in their order.
  std::vector<Doc> pipe(std::span<const std::string> texts, const PipeOptions& options = {}) const;
  // The same for texts that come one by one, until there is none, without keeping them.
  void pipe(const std::function<std::optional<std::string>()>& texts,
            const std::function<void(Doc)>& take, const PipeOptions& options = {}) const;
  // Annotates documents in place, on this thread.
  void annotate(std::span<Doc* const> docs) const;
  // The same on the threads of `pool`. Groups of documents depend on the documents alone.
  void annotate(std::span<Doc* const> docs, WorkerPool& pool) const;
  // The same, but no group is begun once those before have kMostSpansAtOnce spans
  // (ordered_groups.h): for callers that need documents no longer than until they are written or
  // scored. Gives how many are annotated, from the first on; at least one, if there is one.
  std::size_t annotate_some(std::span<Doc* const> docs, WorkerPool& pool) const;
  // Predicts on the examples and compares with their references. The scores of the tokenizer and of
  // every component, and `speed` in words per second.
  Scores evaluate(std::span<Example> examples, WorkerPool& pool) const;
  // The same for examples as they are read; a group of them is in memory at a time.
  Scores evaluate(ExampleStream& examples, WorkerPool& pool) const;

  // ---- training
  // Gives the components labels, shapes and fresh parameters, as [initialize] says; those that came
  // from another pipeline stay. Labels come from the examples, from [initialize], or from
  // `add_label` before. Gives the optimizer of [training]. Throws as initialize_pipeline does.
  std::shared_ptr<Optimizer> initialize(std::span<const Example> examples);
  // From a stream that is opened as often as needed.
  std::shared_ptr<Optimizer> initialize(const std::function<ExampleStreamPtr()>& examples);
  // Without examples: every label has to be known already.
  std::shared_ptr<Optimizer> initialize();
  // One batch: gradients, then a step of the optimizer. Random draws follow from [training] seed
  // and the number of the update. Throws Error(usage) for a pipeline that is not initialised or a
  // name it has not, Error(diverged) where a loss or a gradient is no number or the optimizer's
  // step would leave a parameter without one: nothing of the step, none of its parts that waited
  // (`step`), is applied, and the next update begins as this one did.
  void update(std::span<Example> examples, const UpdateOptions& options = {});

  // ---- number formats that predictions and updates follow (docs/precision.md); null: f32
  // throughout. See number_formats.h. Not while anything runs.
  void set_formats(std::shared_ptr<RunFormats> formats);
  RunFormats* formats() const { return formats_.get(); }

  // ---- the device that predictions and updates run on (see choose_device.h). Null: the CPU. Not
  // while anything runs; updates go on there.
  void run_on(std::shared_ptr<Stream> stream);
  // The copies of all weights there; null on the CPU.
  const std::shared_ptr<DeviceWeights>& device_weights() const { return device_weights_; }
  // For contexts: the device's, which all share, or a new one of the CPU.
  std::shared_ptr<Stream> stream() const;
  // Before anything runs: the device gets what changed on the host. By any thread as long as
  // nothing changed.
  void send_weights() const;
  // Before anybody but layers looks at the host's weights: they become what the device has trained,
  // or what the last steps of a run have left (see DeferredRows).
  void copy_weights_to_host() const;

  // ---- meta.json beyond what follows from the pipeline: name, version, performance ...
  const Object& meta() const { return meta_; }
  Object& meta() { return meta_; }

  // Writes the pipeline's folder in one step, replacing one that is there. Throws Error(system);
  // Error(data), which names the parameter, where one holds a NaN or an infinity.
  void to_disk(const std::filesystem::path& folder) const;
  // Reads the state (vocabulary, tokenizer, components) of a folder into this pipeline, which was
  // built from the folder's config. Throws Error(data), Error(system).
  void from_disk(const std::filesystem::path& folder);
  // Throws Error(usage) where a component that is enabled has no parameters yet.
  void check_initialized() const;

 private:
  struct Training;
  Training& training(int threads);
  const Tokenizer& made_tokenizer() const;
  void refresh_copies() const;  // of weights, before predictions
  std::shared_ptr<PackedWeights> packed_weights(std::size_t groups) const;  // for so many
  std::size_t annotate_up_to(std::span<Doc* const> docs, WorkerPool& pool,
                             std::size_t most_spans) const;
  void write_to(const std::filesystem::path& folder) const;

  Config config_;
  NlpSettings settings_;
  Object meta_;
  std::shared_ptr<Vocab> vocab_;
  std::shared_ptr<const Vocab> const_vocab_;
  mutable std::shared_ptr<const Tokenizer> tokenizer_;  // null until it is made
  std::function<std::shared_ptr<const Tokenizer>()> make_tokenizer_;
  std::vector<NamedComponent> pipeline_;
  mutable std::atomic<bool> is_initialized_ = false;  // found so before
  std::unique_ptr<const Catalogue> catalogue_;        // null: none was given
  std::shared_ptr<Optimizer> optimizer_;              // its own; null until it is needed
  std::shared_ptr<RunFormats> formats_;               // null: f32
  std::unique_ptr<PackedCache> packed_cache_;         // for predictions on the CPU
  std::shared_ptr<DeviceWeights> device_weights_;     // null: on the CPU
  std::shared_ptr<Training> training_;                // null until the first update; uses the rest
};

}  // namespace weft
