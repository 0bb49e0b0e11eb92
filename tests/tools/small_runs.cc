#include "tests/tools/small_runs.h"

#include <algorithm>
#include <regex>
#include <stdexcept>

#include <gtest/gtest.h>
#include <unistd.h>

#include "framework/pipeline/vocab_files.h"
#include "framework/text/vectors.h"
#include "tests/tools/comparable_logs.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;

std::string with(std::string text, const std::string& old, const std::string& fresh) {
  const std::size_t place = text.find(old);
  if (place == std::string::npos) throw std::runtime_error("the config has no " + old);
  return text.replace(place, old.size(), fresh);
}

std::string base(const fs::path& folder) {
  std::string text = small_config();
  text = with(text, "train = null", "train = \"" + (folder / "train.conll").string() + "\"");
  text = with(text, "dev = null", "dev = \"" + (folder / "dev.conll").string() + "\"");
  text = with(text, "max_steps = 40", "max_steps = 24");
  text = with(text, "eval_frequency = 20", "eval_frequency = 5");
  text = with(text, "size = 700", "size = 100");
  return text + "\n[training.optimizer]\n@optimizers = \"Adam.v1\"\nlearn_rate = 0.02\n";
}

std::string with_batcher(const std::string& text, const std::string& batcher) {
  const std::size_t begin = text.find("[training.batcher]");
  const std::size_t end = text.find("\n[", begin);
  return text.substr(0, begin) + "[training.batcher]\n" + batcher + text.substr(end);
}

std::string with_train_reader(const std::string& text, const std::string& reader,
                              const fs::path& data) {
  const std::string block = "[corpora.train]\n@readers = \"weft.ConllCorpus.v1\"\n";
  std::string changed = with(text, block, "[corpora.train]\n" + reader);
  return with(changed, "train.conll", data.filename().string());
}

constexpr const char* kCompounding =
    "\n[training.batcher.size]\n@schedules = \"compounding.v1\"\nstart = 60\nstop = 400\n"
    "compound = 1.1\n";
constexpr const char* kSpacyReader =
    "@readers = \"spacy.Corpus.v1\"\nmax_length = 0\ngold_preproc = false\nlimit = 0\n"
    "augmenter = null\n";

std::map<std::string, std::string> all_configs(const fs::path& folder) {
  const std::string plain = base(folder);
  std::map<std::string, std::string> configs;
  configs["words"] = with_batcher(plain, std::string("@batchers = \"spacy.batch_by_words.v1\"\n"
                                                     "discard_oversize = true\ntolerance = 0.3\n") +
                                             kCompounding);
  configs["padded"] =
      with_batcher(plain,
                   "@batchers = \"spacy.batch_by_padded.v1\"\nsize = 90\nbuffer = 32\n"
                   "discard_oversize = false\n") +
      "use_averages = false\n\n[training.checkpoints]\nevery_steps = 3\nkeep_last = 2\n";
  configs["sequence"] = with_train_reader(
      with_batcher(plain, std::string("@batchers = \"spacy.batch_by_sequence.v1\"\n") +
                              "\n[training.batcher.size]\n@schedules = \"compounding.v1\"\n"
                              "start = 4\nstop = 40\ncompound = 1.2\n"),
      kSpacyReader, "train.spacy");
  configs["streamed"] =
      with(with_train_reader(plain, "@readers = \"spacy.JsonlCorpus.v1\"\n", "train.jsonl"),
           "max_steps", "max_epochs = -1\naccumulate_gradient = 3\nmax_steps") +
      "\n[training.logger]\n@loggers = \"weft.JsonlLogger.v1\"\npath = \"own.jsonl\"\n";
  configs["limited"] =
      with(with(plain, "max_steps", "max_epochs = 4\nmax_steps"), "Adam.v1", "RAdam.v1") +
      "\n[training.logger]\n@loggers = \"spacy.ChainLogger.v1\"\n"
      "\n[training.logger.logger1]\n@loggers = \"spacy.ConsoleLogger.v3\"\n"
      "output_file = \"console.jsonl\"\n"
      "\n[training.logger.logger2]\n@loggers = \"weft.JsonlLogger.v1\"\npath = \"own.jsonl\"\n"
      "\n[training.checkpoints]\nevery_minutes = 0.0005\n";
  configs["schedules"] =
      with(with(plain, "Adam.v1", "SGD.v1"), "learn_rate = 0.02",
           "\n[training.optimizer.learn_rate]\n@schedules = \"warmup_linear.v1\"\n"
           "initial_rate = 0.05\nwarmup_steps = 6\ntotal_steps = 30\n") +
      "\n[training.logger]\n@loggers = \"spacy.ConsoleLogger.v2\"\n"
      "output_file = \"console.jsonl\"\n";
  // Files of all kinds, some of which need whole records before them.
  configs["logged"] =
      plain +
      "\n[training.logger]\n@loggers = \"spacy.ChainLogger.v1\"\n"
      "\n[training.logger.logger1]\n@loggers = \"weft.CsvLogger.v1\"\npath = \"log.csv\"\n"
      "\n[training.logger.logger2]\n@loggers = \"weft.TensorBoardLogger.v1\"\n"
      "\n[training.logger.logger3]\n@loggers = \"spacy.WandbLogger.v5\"\n"
      "project_name = \"small\"\n"
      "\n[training.logger.logger4]\n@loggers = \"spacy.MLflowLogger.v2\"\n"
      "\n[training.checkpoints]\nevery_steps = 3\n";
  // Labels that only the data shows, found while it is streamed: the network grows on the way.
  configs["growing"] = with(with_train_reader(plain, kSpacyReader, "train.spacy"), "max_steps",
                            "max_epochs = -1\nmax_steps") +
                       "\n[initialize]\n\n[initialize.components]\n\n[initialize.components.ner]\n"
                       "labels = [\"person\"]\n";
  configs["window"] = with(with_train_reader(plain, kSpacyReader, "train.spacy"), "max_steps",
                           "max_epochs = -1\nshuffle_window = 17\nmax_steps");
  configs["vectors"] =
      with(plain, "include_static_vectors = false", "include_static_vectors = true") +
      "\n[initialize]\nvectors = \"" + (folder / "vectors").string() + "\"\n";
  // No annotation to learn from: the place in the text is what counts.
  configs["plain"] =
      with(with_train_reader(plain, "@readers = \"spacy.PlainTextCorpus.v1\"\n", "train.txt"),
           "max_steps", "max_epochs = -1\nshuffle_window = 9\nmax_steps") +
      "\n[initialize]\n\n[initialize.components]\n\n[initialize.components.ner]\n"
      "labels = [\"person\"]\n";
  return configs;
}

// A pipeline's folder as far as word vectors are concerned.
void write_vectors(const fs::path& folder) {
  Vocab vocab("en");
  std::vector<Vectors::KeyRow> keys;
  for (const char* word : {"Ada", "Grace", "London", "Oslo", "went", "to"}) {
    keys.emplace_back(vocab.strings().add(word), static_cast<std::int32_t>(keys.size()));
  }
  Tensor table = Tensor::zeros({static_cast<std::int64_t>(keys.size()), 5});
  for (std::int64_t i = 0; i < table.size(); ++i) {
    table.data<float>()[i] = static_cast<float>(i % 7) / 7.0F;
  }
  vocab.set_vectors(std::make_shared<Vectors>(table, keys));
  write_vocab(vocab, folder / "vocab");
  write_text(folder / "meta.json", R"({"vectors": {"name": "small", "width": 5}})");
}

// The words of the corpus, a sentence on each line.
std::string text_of(const std::string& conll) {
  static const std::regex tag("\t[^\n]*\n");
  return std::regex_replace(conll, tag, " ");
}

std::string without_time(const std::string& text) {
  static const std::regex time(R"(, "time": \{[^}]*\})");
  return std::regex_replace(text, time, "");
}

// The length of a log depends on the times in it.
std::string state_alone(const std::string& text) {
  static const std::regex log(R"("log": .*, "meta")");
  return std::regex_replace(without_time(text.substr(0, text.find('\n'))), log, "");
}

}  // namespace

std::vector<SmallRun> write_small_runs(const fs::path& folder) {
  write_text(folder / "train.conll", small_corpus(60));
  write_text(folder / "dev.conll", small_corpus(11));
  write_text(folder / "train.txt", text_of(small_corpus(60)));
  write_vectors(folder / "vectors");
  for (const char* format : {"train.spacy", "train.jsonl"}) {
    const Outcome converted =
        run_weft({"convert", (folder / "train.conll").string(), (folder / format).string()});
    if (converted.code != 0) throw std::runtime_error(converted.err);
  }
  std::vector<SmallRun> runs;
  for (const auto& [name, text] : all_configs(folder)) {
    runs.push_back({name, folder / (name + ".cfg")});
    write_text(runs.back().config, text);
  }
  return runs;
}

std::map<std::string, std::string> results_of(const fs::path& folder) {
  std::map<std::string, std::string> results;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().filename() == "run.json") continue;
    std::string text = read_text(entry.path());
    const fs::path relative = fs::relative(entry.path(), folder);
    if (const auto log = comparable_log(relative, text)) {
      if (log->text.empty()) continue;
      // Where a run was killed before it noted which one it is, there are two with equal settings.
      std::string& known = results[log->name.string()];
      if (known != log->text) known += log->text;
      continue;
    }
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".jsonl") text = without_time(text);
    if (name == "state.json") text = state_alone(text);
    results[relative.string()] = std::move(text);
  }
  return results;
}

std::string difference(const std::map<std::string, std::string>& left,
                       const std::map<std::string, std::string>& right) {
  std::string names;
  for (const auto& [name, text] : left) {
    const auto other = right.find(name);
    if (other == right.end()) {
      names += name + " (missing) ";
    } else if (other->second != text) {
      names += name + " ";
    }
  }
  for (const auto& [name, text] : right) {
    if (!left.contains(name)) names += name + " (too many) ";
  }
  return names;
}

fs::path quick_folder() {
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  const fs::path memory = "/dev/shm";
  const bool usable = ::access(memory.c_str(), W_OK | X_OK) == 0;
  std::string name = "weft-" + std::to_string(::getpid()) + "." + info->name();
  std::replace(name.begin(), name.end(), '/',
               '_');  // one of several parameters: no folder in another
  const fs::path folder = (usable ? memory : fs::path(testing::TempDir())) / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

}  // namespace weft::testing_tools
