// A step of the pipeline: takes documents that earlier steps annotated and adds its own annotation.
#pragma once

#include <any>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/pipeline/batch.h"
#include "framework/pipeline/predicted_values.h"
#include "framework/pipeline/scores.h"
#include "registry/base/export.h"
#include "registry/functions/type.h"
#include "registry/value/config.h"

namespace weft {

class AnnotationKind;
class Context;
class Doc;
class InitRandom;
class Model;
class Slots;
class Vocab;
struct Signature;
using ModelPtr = std::shared_ptr<Model>;
using ExamplePtr = std::shared_ptr<Example>;

// Examples one after the other. `next` gives null at the end, and then always. Throws Error(data)
// with file and line for what cannot be read.
class WEFT_API ExampleStream {
 public:
  virtual ~ExampleStream() = default;
  virtual ExamplePtr next() = 0;
};
using ExampleStreamPtr = std::unique_ptr<ExampleStream>;

// The inputs of `initialize`.
struct WEFT_API InitContext {
  Context& ctx;                                // device and memory
  InitRandom& random;                          // of fresh parameters; one for the whole pipeline
  std::function<ExampleStreamPtr()> examples;  // opens the training data from the start, each time
  std::span<const ExamplePtr> sample;          // up to 10 of them, for shape inference
  const Object& settings;  // [initialize.components.NAME], resolved; empty if there is none

  // One of `settings`; null where it is not given, or is null.
  const Node* given(std::string_view setting) const;
};

// A pipe. Predicting is const: a loaded pipeline is used by many threads at once.
class WEFT_API Component {
 public:
  virtual ~Component() = default;
  Component() = default;
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;

  // The pipeline calls this once, before anything else.
  void bind(std::string name, std::shared_ptr<const Vocab> vocab);
  const std::string& name() const { return name_; }
  const Vocab& vocab() const { return *vocab_; }

  // Labels and shapes from the data, then fresh parameters.
  virtual void initialize(InitContext& init) = 0;

  // Annotates the documents. `slots` belongs to this group of documents.
  virtual void predict(Context& ctx, std::span<Doc* const> docs, Slots& slots) const = 0;

  // A batch is trained in three calls. `begin_batch`: once, before the shards, on one thread: new
  // labels, random decisions for the whole batch. `update`: once for each shard, on any thread:
  // adds to the gradients of the shard's Context and to its losses. `end_batch`: once, after the
  // shards' gradients were added. Components without parameters need none of them.
  virtual void begin_batch(Batch& batch);
  virtual void update(ShardUpdate& shard) const;
  virtual void end_batch(Batch& batch);

  // On several ranks: the bytes of what `update` kept of a shard (ShardUpdate::keep), and back;
  // `end_batch` is called on every rank with all of them. A component that keeps something has
  // both: by default they throw Error(config), which says that it cannot be trained so.
  virtual std::string pack_kept(const std::any& kept) const;
  virtual std::any unpack_kept(std::string_view bytes) const;

  // Puts what `update` needs from an untrained (frozen) component into the slots; called in its
  // place.
  virtual void forward_frozen(ShardUpdate& shard) const;

  // Scores of the annotation this component is responsible for; the predicted documents carry it.
  virtual Scores score(std::span<const Example> examples) const;
  // The same for examples that come in groups. By default all are kept until the end and given to
  // `score`; a component with much to score does better.
  virtual ScoreSessionPtr start_scores() const;

  // Its state in a folder of its own; `from_disk` throws Error(data) naming the file that is wrong.
  // Components without state leave both alone and get no folder.
  virtual bool has_state() const { return false; }
  virtual void to_disk(const std::filesystem::path& folder) const;
  virtual void from_disk(const std::filesystem::path& folder);

  // Training state beyond the files of `to_disk`, which checkpoints keep; null: none.
  virtual Node training_state() const;
  // Throws Error(data) for what `training_state` did not give.
  virtual void set_training_state(const Node& state);

  // Root models of the parameters it trains; empty for a component without any.
  virtual std::vector<ModelPtr> models() const;
  bool is_trainable() const { return !models().empty(); }
  // Whether `update` multiplies the gradients of its losses by the context's `loss_scale()` before
  // they go back. One that does not cannot be trained with loss scaling.
  virtual bool scales_gradients() const { return false; }

  // For meta.json, as spaCy lists them; and what a label file for [initialize] holds (null: takes
  // none).
  virtual std::vector<std::string> labels() const;
  // Whether users see them: not the classes that stand for no names of theirs (spaCy's
  // hide_labels).
  virtual bool shows_labels() const { return true; }
  virtual Node label_data() const;
  // Callers that hold many documents bound their number by it.
  virtual PredictedValues predicted_values() const { return {}; }
  // True if the label is new. Throws Error(usage) where labels cannot be added.
  virtual bool add_label(std::string_view label);
  // The kind of annotation that it learns and that its labels are of, one object for all components
  // of the kind, which outlives them; null: none.
  virtual const AnnotationKind* annotation() const;

  // The settings of [initialize.components.NAME] that `initialize` takes: `signature_of` a struct
  // with `fields`. None by default. A config that gives others, or values that do not fit, is
  // refused before anything is read.
  virtual Signature init_settings() const;

 private:
  std::string name_;
  std::shared_ptr<const Vocab> vocab_;
};
using ComponentPtr = std::shared_ptr<Component>;

template <>
struct ProductTraits<ComponentPtr> {
  static constexpr std::string_view kind = "factories", name = "component";
};

}  // namespace weft
