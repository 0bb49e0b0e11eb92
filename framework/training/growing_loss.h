// Notices a run that diverges without a NaN: a loss that grows by orders of magnitude while the
// score falls.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "framework/pipeline/batch.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// An evaluation as this looks at it.
struct LossReading {
  std::int64_t step = 0;
  double score = 0.0;
  const Losses& losses;    // since the last evaluation
  std::int64_t words = 0;  // trained on since then
};

struct GrowingLoss {
  std::string component;
  double loss_per_word = 0.0;
  double least = 0.0;  // of the component, per word
  std::int64_t least_step = 0;
  double best_score = 0.0;
  bool is_own = true;  // false: `least` is that of all components together
};

// Looks at the loss per word of each component. It counts as grown from a hundred times its least
// on (one below a thousandth of the first counts as that much: there it is noise), the score as
// fallen where it is a tenth below the best, or where no score was ever above zero. A component
// whose first loss is 0, as that of `tok2vec` is in step 0, is measured by ten thousand times the
// first losses of all until its own is below that, and its noise is a thousandth of them.
class WEFT_API LossHistory {
 public:
  // The component whose loss grew most, the first time that one did; nothing ever after.
  std::optional<GrowingLoss> look_at(const LossReading& reading);

  // For checkpoints: a resumed run warns of what the whole one would have warned of.
  Node to_node() const;
  // Takes over what `to_node` gave; starts anew from null, as checkpoints of earlier versions have
  // it. Throws Error(data) for anything else.
  void restore(const Node& saved);

 private:
  struct Known {
    double first = 0.0;
    double least = 0.0;
    std::int64_t least_step = 0;
    bool is_own = true;
  };
  // Null where nothing is known of the component yet.
  Known* known_of(const std::string& component, double per_word, const LossReading& reading);

  std::map<std::string, Known> known_;
  std::optional<double> best_score_;
  bool told_ = false;
};

// The warning of one that was found in that step.
WEFT_API std::string growing_loss_message(const GrowingLoss& found, const LossReading& reading,
                                          double learn_rate);

}  // namespace weft
