#include "tests/tools/component_runs.h"

#include <stdexcept>

#include "tests/folders.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

const fs::path kConfigs = source_path("configs");

struct Example {
  std::string name;  // of the config in configs/
  std::string train, dev;
  Words more;  // its own overrides
};

// Narrow networks, where the config has one that all components share.
const Words kNarrow = {"--components.tok2vec.model.encode.width", "16",
                       "--components.tok2vec.model.encode.depth", "2"};

std::vector<Example> examples() {
  const std::string trees = "ud-en-ewt/", names = "wnut17/", intents = "snips/";
  return {{"beam_ner", names + "train.conll", names + "dev.conll", kNarrow},
          {"beam_parser", trees + "train.spacy", trees + "dev.spacy", kNarrow},
          {"parser", trees + "train.spacy", trees + "dev.spacy", kNarrow},
          {"span_finder", trees + "phrases_train.spacy", trees + "phrases_dev.spacy", kNarrow},
          {"spancat", trees + "phrases_train.spacy", trees + "phrases_dev.spacy", kNarrow},
          {"tagging", trees + "train.spacy", trees + "dev.spacy", kNarrow},
          {"textcat", intents + "train.tsv.gz", intents + "dev.tsv", {}},
          {"textcat_multilabel",
           intents + "train.tsv.gz",
           intents + "dev.tsv",
           // Its table of n-grams would make every checkpoint large.
           {"--components.textcat_multilabel.model.length", "4096"}}};
}

// Twelve steps of small batches, over the start of the corpora.
Words words_of(const Example& example, const Words& overrides) {
  const std::string data = (kConfigs / "data").string() + "/";
  Words words = {"debug",
                 "config",
                 (kConfigs / (example.name + ".cfg")).string(),
                 "--paths.train",
                 data + example.train,
                 "--paths.dev",
                 data + example.dev,
                 "--corpora.train.limit",
                 "60",
                 "--corpora.dev.limit",
                 "12",
                 "--training.batcher.size",
                 "150",
                 "--training.max_steps",
                 "12",
                 "--training.eval_frequency",
                 "4"};
  words.insert(words.end(), example.more.begin(), example.more.end());
  words.insert(words.end(), overrides.begin(), overrides.end());
  return words;
}

}  // namespace

std::vector<SmallRun> write_component_runs(const fs::path& folder, const Words& overrides) {
  std::vector<SmallRun> runs;
  for (const Example& example : examples()) {
    const Outcome filled = run_weft(words_of(example, overrides));
    if (filled.code != 0) throw std::runtime_error(example.name + ": " + filled.err);
    runs.push_back({example.name, folder / (example.name + ".cfg")});
    write_text(runs.back().config, filled.out);
  }
  return runs;
}

}  // namespace weft::testing_tools
