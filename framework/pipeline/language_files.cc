// A pipeline on disk, in the layout that spaCy 3 reads and writes.
// Source: docs/spacy-formats.md, "Directory layout".
#include <filesystem>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/construction.h"
#include "framework/io/json_file.h"
#include "framework/io/mapped_file.h"
#include "framework/io/pretty_json.h"
#include "framework/pipeline/check_vectors.h"
#include "framework/pipeline/component_name.h"
#include "framework/pipeline/language.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/pipeline_hashes.h"
#include "framework/pipeline/replaceable_folder.h"
#include "framework/pipeline/vocab_files.h"
#include "framework/text/printable.h"
#include "framework/text/tokenizer.h"
#include "framework/text/tokenizer_file.h"
#include "framework/text/vectors.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

void set_default(Object& meta, const char* key, Node value) {
  if (!meta.contains(key)) meta.set(key, std::move(value));
}

Node string_list(std::span<const std::string> texts) {
  List list;
  for (const std::string& text : texts) list.emplace_back(text);
  return list;
}

// The entries of the word vectors; their name was read with them.
Object vectors_entry(const Vectors& vectors, const Object& meta) {
  const bool by_key = vectors.mode() == Vectors::Mode::by_key;
  const Node* known = meta.find("vectors");
  const Node* name =
      known == nullptr || !known->is_object() ? nullptr : known->as_object().find("name");
  Object entry;
  entry.set("width", vectors.width());
  entry.set("vectors", vectors.rows());
  entry.set("keys", by_key ? static_cast<std::int64_t>(vectors.keys().size()) : -1);
  entry.set("name", name == nullptr ? Node() : *name);
  entry.set("mode", by_key ? "default" : "floret");
  return entry;
}

// The contents of meta.json: the user's own entries, and what follows from the pipeline.
Object full_meta(const Language& nlp) {
  Object meta = nlp.meta();
  Object result;
  result.set("lang", nlp.lang());
  set_default(meta, "name", "pipeline");
  set_default(meta, "version", "0.0.0");
  set_default(meta, "spacy_version", ">=3.8.0,<3.9.0");
  for (const char* key : {"description", "author", "email", "url", "license"}) {
    set_default(meta, key, "");
  }
  meta.set("vectors", vectors_entry(nlp.vocab()->vectors(), meta));
  for (const auto& [key, node] : meta) {
    if (key != "lang" && key != "performance" && key != kFileHashes) result.set(key, node);
  }
  List enabled;
  List all;
  Object labels;
  for (const NamedComponent& pipe : nlp.pipeline()) {
    all.emplace_back(pipe.name);
    if (pipe.enabled) enabled.emplace_back(pipe.name);
    if (!pipe.component->shows_labels()) continue;
    labels.set(pipe.name, string_list(pipe.component->labels()));
  }
  result.set("labels", std::move(labels));
  result.set("pipeline", std::move(enabled));
  result.set("components", std::move(all));
  result.set("disabled", string_list(nlp.settings().disabled));
  const Node* performance = meta.find("performance");
  result.set("performance", performance == nullptr ? Node(Object()) : *performance);
  return result;
}

Object read_meta(const fs::path& file) {
  if (!is_there(file)) {
    throw Error(ErrorKind::data, fmt::format("{} is missing", file.string()));
  }
  Object meta = read_json_object(file);
  for (const char* key : {"lang", "name", "version"}) {
    const Node* value = meta.find(key);
    if (value == nullptr || !value->is_string() || value->as_string().empty()) {
      throw Error(ErrorKind::data, fmt::format("{} has no '{}'", file.string(), key));
    }
  }
  return meta;
}

// A tokenizer without rules is a folder with its settings.
TokenizerRules read_segmenter(const fs::path& file) {
  const Object settings = read_json_object(file);
  const Node* segmenter = settings.find("segmenter");
  if (segmenter == nullptr || !segmenter->is_string()) {
    throw Error(ErrorKind::data, fmt::format("{} names no segmenter", file.string()));
  }
  if (segmenter->as_string() == "char") return character_rules();
  throw Error(
      ErrorKind::data,
      fmt::format("{}: texts are cut by \"{}\", a Python package; only \"char\" is built in",
                  file.string(), printable(segmenter->as_string())));
}

std::shared_ptr<const Tokenizer> read_tokenizer(const fs::path& file) {
  if (fs::is_directory(file)) return std::make_shared<Tokenizer>(read_segmenter(file / "cfg"));
  if (!is_there(file)) {
    throw Error(ErrorKind::data, fmt::format("{} is missing", file.string()));
  }
  try {
    return std::make_shared<Tokenizer>(read_tokenizer_rules(MappedFile(file, kMostTable).bytes()));
  } catch (const Error& error) {
    throw Error(ErrorKind::data, fmt::format("{}: {}", file.string(), error.what()));
  }
}

void write_tokenizer(const TokenizerRules& rules, const fs::path& file) {
  if (rules.segmenter.empty()) return write_file(file, write_tokenizer_rules(rules));
  Object settings;
  settings.set("segmenter", rules.segmenter);
  make_folders(file);
  write_file(file / "cfg", to_pretty_json(settings));
}

// A file of a component that cannot be read is a fault of the pipeline, not of the system.
void read_component(Component& component, const fs::path& folder) {
  try {
    component.from_disk(folder);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::system) throw;
    throw Error(ErrorKind::data, error.what());
  }
}

}  // namespace

void Language::write_to(const fs::path& folder) const {
  write_file(folder / "config.cfg", config_text(config_));
  write_tokenizer(tokenizer().rules(), folder / "tokenizer");
  write_vocab(*vocab_, folder / "vocab");
  for (const NamedComponent& pipe : pipeline_) {
    if (!pipe.component->has_state()) continue;
    const fs::path own = component_path(folder, pipe.name);
    make_folders(own);
    pipe.component->to_disk(own);
    std::error_code gone;                                // writing on says what is wrong then
    if (fs::is_empty(own, gone)) fs::remove(own, gone);  // its file stands beside the folders
  }
  Object meta = full_meta(*this);
  meta.set(kFileHashes, hash_files(folder));
  write_file(folder / "meta.json", to_pretty_json(meta));
}

void Language::to_disk(const fs::path& folder) const {
  // A link is replaced itself, and the folder that it leads to stays.
  if (!fs::is_symlink(folder)) refuse_other_folder(folder);
  copy_weights_to_host();
  AtomicFolder target(folder);
  write_to(target.path());
  target.commit();
}

void Language::from_disk(const fs::path& folder) {
  copy_weights_to_host();  // components may have changed since
  meta_ = read_meta(folder / "meta.json");
  read_vocab(*vocab_, folder / "vocab");
  tokenizer_ = read_tokenizer(folder / "tokenizer");
  for (const NamedComponent& pipe : pipeline_) {
    if (pipe.component->has_state())
      read_component(*pipe.component, component_path(folder, pipe.name));
  }
  check_vectors(*this, folder);
}

}  // namespace weft
