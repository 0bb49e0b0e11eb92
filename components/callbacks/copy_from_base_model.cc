// spacy.copy_from_base_model.v1: takes the tokenizer or the vocabulary of a saved pipeline over,
// before training. Source: spaCy 3.8.
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/pipeline/callback.h"
#include "framework/pipeline/find_pipeline.h"
#include "framework/pipeline/language.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/vocab_files.h"
#include "framework/text/tokenizer.h"
#include "framework/text/tokenizer_file.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/functions/registration.h"
#include "registry/reading/cfg_reader.h"
#include "registry/value/json.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

struct CopyFromBaseModel {
  std::optional<std::string> tokenizer;
  std::optional<std::string> vocab;
};

template <class V>
void fields(V& v, CopyFromBaseModel& c) {
  v("tokenizer", c.tokenizer, "folder or package of the pipeline whose tokenizer is taken");
  v("vocab", c.vocab,
    "folder or package of the pipeline whose strings, tables and word vectors are taken");
}

fs::path file_of(const std::string& pipeline, const char* name) {
  fs::path file = find_pipeline(pipeline) / name;
  if (is_there(file)) return file;
  throw Error(ErrorKind::config, fmt::format("spacy.copy_from_base_model.v1: '{}' is no folder of a"
                                             " pipeline: it has no {}",
                                             pipeline, name));
}

// Damage of that pipeline, with its place: else it would be taken for damage of the training data.
template <class Read>
void read_placed(const fs::path& file, Read read) {
  try {
    read(file);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data || !error.place().str().empty()) throw;
    throw Error(ErrorKind::data, error.message(),
                Origin::file(std::make_shared<const std::string>(file.string()), 0, 0));
  }
}

// The block that makes the tokenizer, as text to compare.
std::string tokenizer_block(const Config& config) {
  const Node* block = config.find("nlp.tokenizer");
  return block == nullptr ? "nothing" : to_json(*block);
}

void copy_tokenizer(Language& nlp, const std::string& pipeline) {
  const fs::path config = file_of(pipeline, "config.cfg");
  require_regular(config);
  Problems problems;
  const Config base = read_config_file(config, problems, {.interpolate = true});
  if (has_errors(problems)) throw Error(ErrorKind::config, std::move(problems));
  const std::string own = tokenizer_block(expanded(nlp.config())), other = tokenizer_block(base);
  if (own != other) {
    throw Error(ErrorKind::config,
                fmt::format("spacy.copy_from_base_model.v1: [nlp.tokenizer] is {}, that of {} is"
                            " {}; they must agree",
                            own, pipeline, other));
  }
  read_placed(file_of(pipeline, "tokenizer"), [&](const fs::path& file) {
    nlp.set_tokenizer(std::make_shared<Tokenizer>(read_tokenizer_rules(read_file(file))));
  });
}

Callback copy_from_base_model(const CopyFromBaseModel& c) {
  return {[c](CallbackCall& call) {
    // As in spaCy an empty name is none.
    if (c.tokenizer && !c.tokenizer->empty()) copy_tokenizer(call.nlp, *c.tokenizer);
    if (!c.vocab || c.vocab->empty()) return;
    read_placed(file_of(*c.vocab, "vocab"),
                [&](const fs::path& folder) { read_vocab(call.nlp.mutable_vocab(), folder); });
  }};
}

const Registration registered{"spacy.copy_from_base_model.v1", copy_from_base_model,
                              "takes tokenizer or vocabulary from a saved pipeline"};

}  // namespace
}  // namespace weft
