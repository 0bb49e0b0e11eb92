#include "framework/training/pretraining/pretrain.h"

#include <array>
#include <charconv>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/mapped_file.h"
#include "framework/nn/model_file.h"
#include "framework/ops/context.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/init_vocab.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/pretrained_layer.h"
#include "framework/pipeline/setting_error.h"
#include "framework/training/data_facts.h"
#include "framework/training/kept_inputs.h"
#include "framework/training/memory_budget.h"
#include "framework/training/pretraining/run.h"
#include "framework/training/required_section.h"
#include "framework/training/resolve_corpus.h"
#include "framework/training/resume_rules.h"
#include "framework/training/seed_functions.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

// Sizes of layers are inferred from these words; they matter no further.
constexpr std::array<std::string_view, 3> kSample = {"Give", "it", "words"};

// Switched off, components are built and left alone.
// Only the embedding of one component is trained; running the others would cost time and change
// nothing.
Config switched_off(Config config, const Config& values) {
  Node disabled = *values.find("nlp.pipeline");
  config.find("nlp")->as_object().set("disabled", std::move(disabled));
  return config;
}

// A name that no component of the pipeline has.
std::string free_name(const Language& nlp) {
  std::string name = "pretraining";
  while (nlp.find(name) != nullptr) name += "_";
  return name;
}

// A part of a network that stands behind others knows its sizes from them alone, and not from
// words: the output of a component, or all of a parser.
void initialize_embedding(Model& embedding, Context& ctx, const std::vector<const Doc*>& docs,
                          InitRandom& random, const LayerChoice& choice) {
  try {
    embedding.initialize(ctx, DocBatch(docs), {}, random);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::config) throw;
    throw setting_error(
        choice.layer.empty() ? "pretraining.component" : "pretraining.layer",
        fmt::format("{} of '{}' cannot be trained on words alone: {}; name the part of the model "
                    "that gives a vector for each token, such as layer = \"tok2vec\"",
                    choice.layer.empty() ? "the model" : fmt::format("\"{}\"", choice.layer),
                    choice.component, error.message()));
  }
}

// A network that gives anything but a vector for each token cannot be pretrained.
void check_output(const Model& embedding, Context& ctx, const std::vector<const Doc*>& docs,
                  const LayerChoice& choice) {
  const Value output = embedding.predict(ctx, DocBatch(docs));
  std::int64_t rows = -1;
  if (const auto* ragged = std::get_if<Ragged>(&output)) rows = ragged->data.dim(0);
  if (const auto* list = std::get_if<TensorList>(&output); list != nullptr && list->size() == 1) {
    rows = list->front().dim(0);
  }
  if (rows == static_cast<std::int64_t>(kSample.size())) return;
  throw setting_error("pretraining.layer",
                      fmt::format("\"{}\" of '{}' gives no vector for each token; name the part of "
                                  "the model that does, such as \"tok2vec\"",
                                  choice.layer, choice.component));
}

void load_weights(Model& embedding, const fs::path& file) {
  if (!is_there(file) || fs::is_directory(file)) {
    throw Error(
        ErrorKind::usage,
        fmt::format("--resume-path takes a file of weights, and {} is none", file.string()));
  }
  if (model_from_bytes(embedding, MappedFile(file).bytes(), file.string())) return;
  throw Error(ErrorKind::data, fmt::format("{} has no weights", file.string()));
}

RandomWords random_words(const Config& values, const Reader& corpus, const Language& nlp,
                         std::uint64_t seed) {
  const Node* entries = values.find("initialize.vocab_data");
  if (entries != nullptr && entries->is_string()) {
    return RandomWords::of_vocab_data(entries->as_string());
  }
  return RandomWords::of_text(*corpus.open(nlp), seed);
}

// A run that begins with the weights of another numbers its passes on, as in spaCy: by the name of
// the file of weights, unless the number is given.
std::int64_t first_pass(const PretrainOptions& options) {
  if (options.weights.empty()) return 0;
  const auto pass = options.first_pass ? options.first_pass : pass_after(options.weights);
  if (pass) return *pass;
  throw Error(ErrorKind::usage,
              fmt::format("{} does not say by its name which pass it is of; give --epoch-resume N",
                          options.weights.string()));
}

void check_first_pass(std::int64_t pass, const PretrainingSettings& settings) {
  if (pass < settings.max_epochs) return;
  throw Error(ErrorKind::usage,
              fmt::format("the run would begin with pass {}, counted from 0, and [pretraining] "
                          "max_epochs is {}: no pass is left",
                          pass, settings.max_epochs));
}

// A run that goes on has to do what the interrupted one would have done. The saved config is
// compared with the given one, and settings that change the result may not differ.
Config config_of_run(const PretrainOptions& options, const Config& config,
                     const Catalogue& catalogue) {
  if (!options.resume) return config;
  Problems problems;
  const Config at_start =
      load_pipeline_config(options.output / "config.cfg", {}, catalogue, problems);
  throw_errors(std::move(problems));
  throw_errors(check_resumed_pretraining(expanded(at_start), expanded(config)));
  return config;
}

// Else they would stand among those of this run, as if they were its own.
void remove_earlier_weights(const fs::path& output) {
  std::vector<fs::path> earlier = {output / kLastWeights};
  for (const auto& entry : fs::directory_iterator(output)) {
    const auto next = pass_after(entry.path());
    const std::string name = next ? fmt::format("model{}", *next - 1) : std::string();
    const fs::path own = entry.path().filename();
    if (next && (own == name + ".bin" || own == name + ".temp.bin")) earlier.push_back(entry);
  }
  for (const fs::path& file : earlier) {
    if (!fs::is_directory(fs::symlink_status(file))) fs::remove(file);
  }
}

}  // namespace

bool goes_on_there(const fs::path& weights, const fs::path& output) {
  std::error_code unknown;
  return !weights.empty() && fs::equivalent(weights.parent_path() / ".", output, unknown);
}

std::optional<std::int64_t> pass_after(const fs::path& weights) {
  const std::string name = weights.filename().string();
  constexpr std::string_view before = "model", behind = ".bin";
  const std::size_t begin = name.rfind(before);
  if (begin == std::string::npos) return std::nullopt;
  std::int64_t pass = 0;
  const char* digits = name.data() + begin + before.size();
  const auto read = std::from_chars(digits, name.data() + name.size(), pass);
  const bool is_number = read.ec == std::errc() && *digits != '-' && pass < INT64_MAX;
  const std::string_view rest(read.ptr,
                              static_cast<std::size_t>(name.data() + name.size() - read.ptr));
  if (!is_number || (rest != behind && rest != ".temp.bin")) return std::nullopt;
  return pass + 1;
}

PretrainingSettings pretraining_settings(const Config& values, const Catalogue& catalogue) {
  const Node* node = values.find("pretraining");
  if (node == nullptr || !node->is_object() || node->as_object().empty()) {
    throw Error(ErrorKind::config,
                "the config has no [pretraining]; `weft init fill-config CONFIG OUT --pretraining` "
                "writes one with its defaults");
  }
  return required_section<PretrainingSettings>(values, "pretraining", catalogue);
}

std::shared_ptr<Language> pretrain_language(const Config& config, const Catalogue& catalogue) {
  const Config values = expanded(config);
  const auto initialization = required_section<InitializeSettings>(values, "initialize", catalogue);
  auto nlp = build_pipeline(switched_off(config, values), catalogue);
  init_vocab(*nlp, initialization);
  return nlp;
}

std::shared_ptr<PretrainNetwork> add_pretrain_network(Language& nlp,
                                                      const PretrainingSettings& settings,
                                                      std::uint64_t seed) {
  const LayerChoice choice{settings.component, settings.layer};
  auto network = std::make_shared<PretrainNetwork>(pretrained_layer(nlp, choice),
                                                   settings.objective->make_head(*nlp.vocab()),
                                                   settings.objective);
  nlp.add({.name = free_name(nlp), .component = network});
  const Doc doc = Doc::from_words(nlp.vocab(), {kSample[0], kSample[1], kSample[2]});
  const std::vector<ExamplePtr> sample = {std::make_shared<Example>(Example::from_reference(doc))};
  const std::vector<const Doc*> docs = {&sample.front()->predicted()};
  const FlushDenormals flush;
  Context ctx;
  InitRandom random(seed);
  const Object none;
  InitContext init{ctx, random, {}, sample, none};
  initialize_embedding(*network->embedding(), ctx, docs, random, choice);
  check_output(*network->embedding(), ctx, docs, choice);
  network->initialize(init);
  return network;
}

namespace {

// Config, checkpoint, weights and texts are read and checked before any file of an earlier run is
// touched: a mistake in one of them costs nothing. Weights are restored after the network is
// initialised, which fixes their shapes.
PretrainResult pretrain_all(const Config& config, const Catalogue& catalogue,
                            const PretrainOptions& options, std::ostream& out, std::ostream& err) {
  std::optional<PretrainCheckpoint> resumed;
  if (options.resume) resumed = read_pretrain_checkpoint(options.output / "checkpoint");
  const Config used = config_of_run(options, config, catalogue);
  const Config values = expanded(used);
  if (!resumed) refuse_to_lose_corpora(values, options.output);
  seed_functions(values, catalogue);
  const PretrainingSettings settings = pretraining_settings(values, catalogue);
  const std::uint64_t seed = training_seed(values);
  const Reader corpus = texts_of(resolve_corpus(values, settings.corpus, catalogue));
  const Object data = data_facts(values);
  if (resumed)
    check_same_data(resumed->data, data, {settings.corpus, settings.dev_corpus.value_or("")});
  const std::int64_t pass = first_pass(options);
  if (!resumed) check_first_pass(pass, settings);
  const std::shared_ptr<Language> nlp = pretrain_language(used, catalogue);
  PretrainNetwork& network = *add_pretrain_network(*nlp, settings, seed);
  if (resumed) {
    restore_network(options.output / "checkpoint", *network.models().front());
  } else if (!options.weights.empty()) {
    load_weights(*network.embedding(), options.weights);
  }
  const RandomWords words = random_words(values, corpus, *nlp, seed);
  std::optional<HeldOutText> held_out;
  if (settings.dev_corpus) {
    const Reader dev = texts_of(resolve_corpus(values, *settings.dev_corpus, catalogue));
    held_out.emplace(dev, *nlp, words, seed);
  }
  const MemoryBudget memory = memory_budget(values, *nlp);
  WorkerPool pool(options.threads);
  RunFolder folder(options.output);
  const PretrainSetup setup{
      .nlp = *nlp,
      .network = network,
      .settings = settings,
      .corpus = corpus,
      .words = words,
      .held_out = held_out ? &*held_out : nullptr,
      .pool = pool,
      .folder = folder,
      .seed = seed,
      .memory = memory_for_step(memory, 0),
      .data = data,
      .resumed = resumed ? &*resumed : nullptr,
      .first_pass = pass,
      .log_start = options.weights.empty() ? LogFile::Start::replace : LogFile::Start::append,
      .skip_last = options.skip_last,
      .json = options.json,
      .interrupted = options.interrupted};
  // From here on files are written: a signal waits for them, and for the checkpoint.
  if (options.started) options.started();
  // Nothing of an earlier run is touched before this one can start.
  if (!resumed) folder.begin_anew(RunKind::pretraining);
  if (!resumed && !goes_on_there(options.weights, options.output))
    remove_earlier_weights(options.output);
  PretrainRun run(setup, out, err);
  write_file(options.output / "config.cfg", config_text(used));
  const bool finished = run.run();
  return {run.state(), finished};
}

}  // namespace

PretrainResult pretrain(const Config& config, const Catalogue& catalogue,
                        const PretrainOptions& options, std::ostream& out, std::ostream& err) {
  return telling_places(config, [&] { return pretrain_all(config, catalogue, options, out, err); });
}

}  // namespace weft
