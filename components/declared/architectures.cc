// Names of spaCy 3.8 and its libraries of the kind `architectures` that are known and not built
// yet.
#include "components/declared/declare.h"

namespace weft {
namespace {

constexpr std::string_view kNames = R"(
spacy-legacy.EntityLinker.v1
  tok2vec any
  nO int? = null
spacy-legacy.Tagger.v1
  tok2vec any
  nO int? = null
spacy-legacy.TextCatBOW.v1
  exclusive_classes bool
  ngram_size int
  no_output_layer bool
  nO int? = null
spacy-legacy.TextCatCNN.v1
  tok2vec any
  exclusive_classes bool
  nO int? = null
spacy-legacy.TextCatEnsemble.v1
  width int
  embed_size int
  pretrained_vectors bool?
  exclusive_classes bool
  ngram_size int
  window_size int
  conv_depth int
  dropout float?
  nO int? = null
spacy.EntityLinker.v2
  tok2vec any
  nO int? = null
spacy.PretrainCharacters.v1
  maxout_pieces int
  hidden_size int
  n_characters int
spacy.PretrainVectors.v1
  maxout_pieces int
  hidden_size int
  loss str
spacy.SpanCategorizer.v1
  tok2vec any
  reducer any
  scorer any
spacy.SpanFinder.v1
  tok2vec any
  scorer any
spacy.Tagger.v2
  tok2vec any
  nO int? = null
  normalize any = false
spacy.TextCatBOW.v2
  exclusive_classes bool
  ngram_size int
  no_output_layer bool
  nO int? = null
spacy.TextCatBOW.v3
  exclusive_classes bool
  ngram_size int
  no_output_layer bool
  length int = 262144
  nO int? = null
spacy.TextCatCNN.v2
  tok2vec any
  exclusive_classes bool
  nO int? = null
spacy.TextCatEnsemble.v2
  tok2vec any
  linear_model any
  nO int? = null
spacy.TextCatLowData.v1
  width int
  dropout float?
  nO int? = null
spacy.TextCatParametricAttention.v1
  tok2vec any
  exclusive_classes bool
  nO int? = null
spacy.TextCatReduce.v1
  tok2vec any
  exclusive_classes bool
  use_reduce_first bool
  use_reduce_last bool
  use_reduce_max bool
  use_reduce_mean bool
  nO int? = null
spacy.TorchBiLSTMEncoder.v1
  width int
  depth int
  dropout float
)";

const Registration registered([](Catalogue& catalogue) {
  declare(catalogue, "architectures", kNames);
});

}  // namespace
}  // namespace weft
