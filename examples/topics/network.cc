#include "network.h"

#include "components/layers/layers.h"
#include "components/layers/reduce.h"
#include "registry/functions/registration.h"

namespace topics {

template <class V>
void fields(V& v, MeanPoolSettings& c) {
  v.required("tok2vec", c.tok2vec, "gives a vector for each token");
}

weft::ModelPtr mean_pool(const MeanPoolSettings& c) {
  const weft::ModelPtr output = weft::layers::linear({});
  weft::ModelPtr model =
      weft::layers::chain({c.tok2vec, weft::layers::list2ragged(),
                           weft::layers::reduce("reduce_mean", weft::Pool::mean), output});
  model->set_ref("output", output);
  return model;
}

static const weft::Registration registered{"architectures", "topics.MeanPool.v1", mean_pool,
                                           "scores of labels from the mean of token vectors"};

}  // namespace topics
