#include "framework/pipeline/init_vocab.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/json_file.h"
#include "framework/io/text_lines.h"
#include "framework/pipeline/find_pipeline.h"
#include "framework/pipeline/init_fault.h"
#include "framework/pipeline/setting_error.h"
#include "framework/pipeline/vocab_files.h"
#include "framework/text/vectors_file.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/value/json.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

// The name that a pipeline gives its vectors; null if it has none.
Node vectors_name(const fs::path& folder) {
  const fs::path file = folder / "meta.json";
  if (!is_there(file)) return {};
  const Object meta = read_json_object(file);
  const Node* vectors = meta.find("vectors");
  if (vectors == nullptr || !vectors->is_object()) return {};
  const Node* name = vectors->as_object().find("name");
  return name == nullptr ? Node() : *name;
}

// A line of vocab_data: {"orth": "cuz", "norm": "because", ...}.
class Entries {
 public:
  explicit Entries(const std::string& file) : file_(file), lines_({file}) {}

  void add_to(Vocab& vocab) {
    while (const auto line = lines_.next()) {
      ++number_;
      if (!line->empty()) add(vocab, *line);
    }
    if (norms_.empty()) return;
    Lookups lookups = vocab.lookups();
    lookups.add(Lookups::kNorms, norms_);
    vocab.set_lookups(std::move(lookups));
  }

 private:
  void add(const Vocab& vocab, const std::string& line) {
    const auto entry = parse_json(line);
    if (!entry || !entry->is_object()) fail("is no JSON object");
    const Object& object = entry->as_object();
    if (object.contains("settings")) return;
    const Node* orth = object.find("orth");
    if (orth == nullptr || !orth->is_string()) fail("has no text 'orth'");
    vocab.strings().add(orth->as_string());
    const Node* norm = object.find("norm");
    if (norm == nullptr) return;
    if (!norm->is_string()) fail("has a 'norm' that is no text");
    if (vocab.norm_of(orth->as_string()) == norm->as_string()) return;
    norms_.emplace_back(orth->as_string(), norm->as_string());
  }

  [[noreturn]] void fail(const char* what) const {
    throw Error(ErrorKind::data, fmt::format("the line {}", what),
                Origin::file(std::make_shared<const std::string>(file_), number_, 1));
  }

  std::string file_;
  TextLines lines_;
  int number_ = 0;
  std::vector<std::pair<std::string, std::string>> norms_;
};

}  // namespace

void copy_vectors(Language& nlp, const fs::path& name) {
  const fs::path folder = find_pipeline(name.string());
  if (!fs::is_directory(folder / "vocab")) {
    throw setting_error("initialize.vectors",
                        fmt::format("'{}' is no folder of a pipeline with a vocab folder in it, "
                                    "nor the name of an installed package{}",
                                    name.string(), where_looked_for(name.string())));
  }
  read_strings(nlp.mutable_vocab(), folder / "vocab" / "strings.json");
  nlp.mutable_vocab().set_vectors(std::make_shared<Vectors>(read_vectors(folder / "vocab")));
  Object entry;
  entry.set("name", vectors_name(folder));
  nlp.meta().set("vectors", std::move(entry));
}

void init_vocab(Language& nlp, const InitializeSettings& settings) {
  if (settings.lookups) nlp.mutable_vocab().set_lookups(*settings.lookups);
  if (settings.vocab_data) {
    if (!fs::is_regular_file(*settings.vocab_data)) {
      throw setting_error("initialize.vocab_data",
                          fmt::format("there is no file '{}'", *settings.vocab_data));
    }
    Entries(*settings.vocab_data).add_to(nlp.mutable_vocab());
  }
  if (settings.vectors) {
    run_blaming(nlp, "initialize.vectors", [&] { copy_vectors(nlp, *settings.vectors); });
  }
}

}  // namespace weft
