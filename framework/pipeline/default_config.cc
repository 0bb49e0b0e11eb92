#include "framework/pipeline/default_config.h"

#include <string_view>

#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"
#include "registry/value/merge.h"

namespace weft {
namespace {

constexpr std::string_view kDefaults = R"cfg(
[paths]
train = null
dev = null
vectors = null
init_tok2vec = null

[system]
seed = 0
gpu_allocator = null

[nlp]
lang = null
pipeline = []
disabled = []
before_creation = null
after_creation = null
after_pipeline_creation = null
batch_size = 1000

[nlp.tokenizer]
@tokenizers = "spacy.Tokenizer.v1"

[nlp.vectors]
@vectors = "spacy.Vectors.v1"

[components]

[corpora]

[corpora.train]
@readers = "spacy.Corpus.v1"
path = ${paths.train}
gold_preproc = false
max_length = 0
limit = 0
augmenter = null

[corpora.dev]
@readers = "spacy.Corpus.v1"
path = ${paths.dev}
gold_preproc = false
max_length = 0
limit = 0
augmenter = null

[training]
seed = ${system.seed}
gpu_allocator = ${system.gpu_allocator}
dropout = 0.1
accumulate_gradient = 1
patience = 1600
max_epochs = 0
max_steps = 20000
eval_frequency = 200
frozen_components = []
annotating_components = []
dev_corpus = "corpora.dev"
train_corpus = "corpora.train"
before_to_disk = null
before_update = null

[training.score_weights]

[training.logger]
@loggers = "spacy.ConsoleLogger.v1"

[training.batcher]
@batchers = "spacy.batch_by_words.v1"
discard_oversize = false
tolerance = 0.2

[training.batcher.size]
@schedules = "compounding.v1"
start = 100
stop = 1000
compound = 1.001

[training.optimizer]
@optimizers = "Adam.v1"
beta1 = 0.9
beta2 = 0.999
L2_is_weight_decay = true
L2 = 0.01
grad_clip = 1.0
use_averages = false
eps = 1e-8
learn_rate = 0.001

[initialize]
vectors = ${paths.vectors}
init_tok2vec = ${paths.init_tok2vec}
vocab_data = null
lookups = null
before_init = null
after_init = null

[initialize.tokenizer]

[initialize.components]

[pretraining]
)cfg";

constexpr std::string_view kPretraining = R"cfg(
[paths]
raw_text = null

[corpora]

[corpora.pretrain]
@readers = "spacy.JsonlCorpus.v1"
path = ${paths.raw_text}
min_length = 5
max_length = 500
limit = 0

[pretraining]
max_epochs = 1000
dropout = 0.2
n_save_every = null
n_save_epoch = null
component = "tok2vec"
layer = ""
corpus = "corpora.pretrain"

[pretraining.batcher]
@batchers = "spacy.batch_by_words.v1"
size = 3000
discard_oversize = false
tolerance = 0.2
get_length = null

[pretraining.objective]
@architectures = "spacy.PretrainCharacters.v1"
maxout_pieces = 3
hidden_size = 300
n_characters = 4

[pretraining.optimizer]
@optimizers = "Adam.v1"
beta1 = 0.9
beta2 = 0.999
L2_is_weight_decay = true
L2 = 0.01
grad_clip = 1.0
use_averages = true
eps = 1e-8
learn_rate = 0.001
)cfg";

constexpr std::string_view kChinese = R"cfg(
[nlp]

[nlp.tokenizer]
@tokenizers = "spacy.zh.ChineseTokenizer"
segmenter = "char"

[initialize]

[initialize.tokenizer]
pkuseg_model = null
pkuseg_user_dict = "default"
)cfg";

// Messages and written configs tell these values from those that the user gave.
void mark_as_default(Object& object) {
  static const Origin& origin = *new Origin(Origin::default_of("an empty pipeline"));
  for (auto& [key, node] : object) {
    node.origin = origin;
    node.key_origin = origin;
    if (node.is_object()) mark_as_default(node.as_object());
  }
}

Config read(std::string_view text) {
  Problems problems;
  Config config = read_cfg(text, "the default config", problems, {.interpolate = false});
  if (has_errors(problems)) throw Error(ErrorKind::internal, problems);
  mark_as_default(config.root());
  return config;
}

}  // namespace

const Config& default_config() {
  static const Config& config = *new Config(read(kDefaults));
  return config;
}

const Config& default_config(std::string_view lang) {
  if (lang != "zh") return default_config();
  static const Config& chinese = *new Config(merge(default_config(), read(kChinese)));
  return chinese;
}

const Config& default_pretraining_config() {
  static const Config& config = *new Config(read(kPretraining));
  return config;
}

}  // namespace weft
