// Components that give every token one of a list of classes: a softmax over token vectors. The
// classes, how annotation stands for them and how documents get them are up to the component; the
// rest is here (spaCy 3.8, Tagger and its kin; docs/tagging.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/nn/model.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/rehearsing.h"
#include "framework/pipeline/scores.h"
#include "framework/tagging/class_loss.h"
#include "framework/text/doc.h"
#include "framework/text/example.h"
#include "registry/base/error.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API TokenClassifier : public Component, public Rehearsing {
 public:
  struct Network {
    ModelPtr model;      // documents to (tokens, classes); gives probabilities in training
    Scorer scorer = {};  // may be empty
    double label_smoothing = 0.0;  // share of the truth that goes to the other classes
  };
  explicit TokenClassifier(Network network);

  // Classes as `find_classes` says, then shapes and fresh parameters. Throws Error(data) where
  // there is no class, Error(config) where they do not fit the model or the smoothing.
  void initialize(InitContext& init) override;
  void predict(Context& ctx, std::span<Doc* const> docs, Slots& slots) const override;
  void begin_batch(Batch& batch) override;
  void update(ShardUpdate& shard) const override;
  void rehearse(ShardUpdate& shard, const TutorPass& tutor) const override;
  ScoreSessionPtr start_scores() const override;

  bool has_state() const override { return true; }
  void to_disk(const std::filesystem::path& folder) const override;
  // Throws Error(data) for files that are none of the component's, or do not fit each other.
  void from_disk(const std::filesystem::path& folder) override;

  std::vector<ModelPtr> models() const override { return {network_.model}; }
  bool scales_gradients() const override { return true; }

 protected:
  const Network& network() const { return network_; }

  virtual std::int64_t class_count() const = 0;
  // From [initialize.components.NAME] labels where it is given, else from the data.
  virtual void find_classes(InitContext& init) = 0;
  // Appends what the reference says of each predicted token.
  virtual void append_gold(const Example& example, std::vector<GoldClass>& gold) const = 0;
  // `scores`: (tokens of the document, classes) f32.
  virtual void annotate(Doc& doc, ConstView scores) const = 0;

  // The component's part of the file `cfg`. A setting that `take_cfg` lacks or finds of another
  // type stays as it is; it throws Error(data) for what makes no sense.
  virtual Object cfg() const = 0;
  virtual void take_cfg(const Object& cfg, const std::string& source) = 0;
  // Files beside `cfg` and `model`; read between the two.
  virtual void write_files(const std::filesystem::path& folder) const;
  virtual void read_files(const std::filesystem::path& folder);

  void set_label_smoothing(double smoothing) { network_.label_smoothing = smoothing; }
  // Throws Error(usage) where the model has as many outputs as there are classes.
  void require_room() const;
  // "[initialize.components.NAME.labels]"
  std::string labels_place() const;

 private:
  // The error with the component's name in front.
  [[noreturn]] void throw_named(const Error& error) const;
  void check_smoothing() const;
  std::int64_t model_classes() const;  // 0: not known

  Network network_;
};

// The class with the highest score of each token; the first of equal ones.
WEFT_API std::vector<std::int32_t> best_classes(ConstView scores);

}  // namespace weft
