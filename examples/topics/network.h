// The network of the classifier.
#pragma once

#include "framework/nn/model.h"

namespace topics {

struct MeanPoolSettings {
  weft::ModelPtr tok2vec;
};

// Documents to scores (documents, labels): the mean of a document's token vectors, times a matrix.
// The ref "output" is the last layer; its dimension nO, the number of labels, is set
// where they are known.
weft::ModelPtr mean_pool(const MeanPoolSettings& settings);

}  // namespace topics
