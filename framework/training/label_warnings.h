// Warnings before a run about labels that it will not learn to find.
#pragma once

#include <iosfwd>

#include "framework/training/batches_ahead.h"
#include "framework/training/training_setup.h"
#include "framework/training/unseen_labels.h"
#include "registry/base/export.h"

namespace weft {

// `unseen` has looked at the development data. Looks through the training data where that may hold
// the labels that are missing, of a stream no further than it is bound to come to an end.
WEFT_API void warn_of_unseen_labels(UnseenLabels unseen, BatchesAhead& batches,
                                    const TrainingSetup& setup, std::ostream& err);

}  // namespace weft
