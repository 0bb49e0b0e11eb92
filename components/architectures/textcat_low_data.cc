// spacy.TextCatLowData.v1: refused. In spaCy 3.8 its first layer gives what the second one cannot
// take, so that no pipeline with it was ever trained and there is nothing to agree with.
#include <optional>

#include "components/layers/layers.h"
#include "framework/nn/model_limits.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

struct TextCatLowData {
  int width = 0;
  std::optional<double> dropout;
  layers::Size nO;
};

template <class V>
void fields(V& v, TextCatLowData& c) {
  v.required("width", c.width, "width of the vectors", closed_range(1, kWidest));
  v.required("dropout", c.dropout, "rate of the last layer; null: none", range(0.0, 1.0));
  v("nO", c.nO, "number of labels; null: from the data", closed_range(1, kWidest));
}

ModelPtr textcat_low_data(const TextCatLowData&) {
  throw Error(ErrorKind::config,
              "spacy.TextCatLowData.v1 cannot be initialised in spaCy 3.8 and is not built: take "
              "spacy.TextCatEnsemble.v2, or spacy.TextCatBOW.v3 where there are few examples");
}

const Registration registered{"spacy.TextCatLowData.v1", textcat_low_data,
                              "refused: it cannot be initialised in the reference either"};

}  // namespace

}  // namespace weft
