// Names of spaCy 3.8 and its libraries of the kind `layers` that are known and not built yet.
#include "components/declared/declare.h"

namespace weft {
namespace {

constexpr std::string_view kNames = R"(
CauchySimilarity.v1
  nI int? = null
ClippedLinear.v1
  nO int? = null
  nI int? = null
  *
  init_W any = null
  init_b any = null
  dropout float? = null
  normalize bool = false
  slope float = 1.0
  offset float = 0.0
  min_val float = 0.0
  max_val float = 1.0
Dish.v1
  nO int? = null
  nI int? = null
  *
  init_W any = null
  init_b any = null
  dropout float? = null
  normalize bool = false
Embed.v1
  nO int? = null
  nV int? = null
  *
  column int? = null
  initializer any = null
  dropout float? = null
HardSigmoid.v1
  nO int? = null
  nI int? = null
  *
  init_W any = null
  init_b any = null
  dropout float? = null
  normalize bool = false
HardSwish.v1
  nO int? = null
  nI int? = null
  *
  init_W any = null
  init_b any = null
  dropout float? = null
  normalize bool = false
HardSwishMobilenet.v1
  nO int? = null
  nI int? = null
  *
  init_W any = null
  init_b any = null
  dropout float? = null
  normalize bool = false
HardTanh.v1
  nO int? = null
  nI int? = null
  *
  init_W any = null
  init_b any = null
  dropout float? = null
  normalize bool = false
LSTM.v1
  nO int? = null
  nI int? = null
  *
  bi bool = false
  depth int = 1
  dropout float = 0.0
  init_W any = null
  init_b any = null
Logistic.v1
MXNetWrapper.v1
  mxnet_model any
  convert_inputs any = null
  convert_outputs any = null
  model_class any = {"$function": "Model"}
  model_name str = "mxnet"
MultiSoftmax.v1
  nOs any
  nI int? = null
ParametricAttention.v1
  nO int? = null
ParametricAttention.v2
  *
  key_transform any = null
  nO int? = null
PyTorchLSTM.v1
  nO int
  nI int
  *
  bi bool = false
  depth int = 1
  dropout float = 0.0
PyTorchRNNWrapper.v1
  pytorch_model any
  convert_inputs any = null
  convert_outputs any = null
PyTorchWrapper.v1
  pytorch_model any
  convert_inputs any = null
  convert_outputs any = null
PyTorchWrapper.v2
  pytorch_model any
  convert_inputs any = null
  convert_outputs any = null
  mixed_precision bool = false
  grad_scaler any = null
  device any = null
PyTorchWrapper.v3
  pytorch_model any
  convert_inputs any = null
  convert_outputs any = null
  mixed_precision bool = false
  grad_scaler any = null
  device any = null
  serialize_model any = null
  deserialize_model any = null
ReluK.v1
  nO int? = null
  nI int? = null
  *
  init_W any = null
  init_b any = null
  dropout float? = null
  normalize bool = false
  k float = 6.0
SparseLinear.v1
  nO int? = null
  length int = 262144
SparseLinear.v2
  nO int? = null
  length int = 262144
bidirectional.v1
  l2r any
  r2l any = null
list2padded.v1
padded2list.v1
premap_ids.v1
  mapping_table any
  default int = 0
  *
  column int? = null
remap_ids.v1
  mapping_table any = {}
  default int = 0
  dtype any = "i"
remap_ids.v2
  mapping_table any = null
  default int = 0
  *
  column int? = null
resizable.v1
  layer any
  resize_layer any
siamese.v1
  layer any
  similarity any
softmax_activation.v1
spacy.LinearLogistic.v1
  nO any = null
  nI any = null
spacy.PrecomputableAffine.v1
  nO any
  nI any
  nF any
  nP any
  dropout any = 0.1
spacy.TransitionModel.v1
  tok2vec any
  lower any
  upper any
  resize_output any
  dropout any = 0.2
  unseen_classes any = {"$set": []}
spacy.extract_ngrams.v1
  ngram_size int
  attr int = 66
spacy.extract_spans.v1
spacy.mean_max_reducer.v1
  hidden_size int
strings2arrays.v1
tuplify.v1
  layer1 any
  layer2 any
  *layers any
uniqued.v1
  layer any
  *
  column int = 0
with_cpu.v1
  layer any
  ops any
with_flatten.v1
  layer any
with_flatten.v2
  layer any
with_getitem.v1
  idx int
  layer any
with_list.v1
  layer any
with_padded.v1
  layer any
with_ragged.v1
  layer any
with_reshape.v1
  layer any
)";

const Registration registered([](Catalogue& catalogue) { declare(catalogue, "layers", kNames); });

}  // namespace
}  // namespace weft
