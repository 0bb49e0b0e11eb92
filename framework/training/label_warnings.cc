#include "framework/training/label_warnings.h"

#include <cstdint>
#include <ostream>
#include <string>

#include <fmt/format.h>

#include "framework/text/printable.h"
#include "framework/text/warning_limit.h"
#include "framework/training/example_streams.h"

namespace weft {
namespace {

// Of a stream that may have no end, as much as is looked through for labels.
constexpr std::int64_t kMostLookedThrough = 100'000;

// Whether enough of the streamed training data was seen to know its labels.
bool look_through(const TrainingSetup& setup, UnseenLabels& unseen) {
  const ExampleStreamPtr stream = setup.train_corpus.open(setup.nlp);
  std::int64_t looked_through = 0;
  while (unseen.needs_training_data()) {
    const ExamplePtr example = stream->next();
    if (!example) break;
    if (++looked_through > kMostLookedThrough) return false;
    unseen.add_trained(*example);
  }
  return true;
}

std::string reason(const UnseenLabel& label) {
  const std::string name = printable_brief(label.label);
  return label.is_trained_on
             ? fmt::format("the components that know its kind are frozen, and have no '{}'", name)
             : fmt::format("the training data has no '{}'", name);
}

}  // namespace

// Components that are trained take up the labels of their batches, so those of the training data
// are no labels that nobody can find.
void warn_of_unseen_labels(UnseenLabels unseen, BatchesAhead& batches, const TrainingSetup& setup,
                           std::ostream& err) {
  for (const ExamplePtr& example : batches.held()) unseen.add_trained(*example);
  if (setup.settings.max_epochs < 0 && unseen.needs_training_data()) {
    if (setup.resumed != nullptr) return;  // the run was told when it began
    batches.wait();
    if (!look_through(setup, unseen)) return;
  }
  WarningLimit warnings(err);
  for (const UnseenLabel& label : unseen.found()) {
    warnings.show("a label that only the development data has",
                  fmt::format("warning: {}, which [{}] has {} times: it will not be found",
                              reason(label), setup.settings.dev_corpus, label.count));
  }
  warnings.summarize();
}

}  // namespace weft
