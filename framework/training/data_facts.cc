#include "framework/training/data_facts.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "framework/pipeline/pipeline_hashes.h"
#include "registry/base/error.h"
#include "registry/base/sha256.h"
#include "registry/value/json.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

Object facts_of(const fs::path& path) {
  Object facts;
  facts.set("path", path.string());
  if (!fs::is_directory(path)) {
    facts.set("files", 1);
    facts.set("bytes", static_cast<std::int64_t>(fs::file_size(path)));
    facts.set("sha256", sha256_of_file(path));
    return facts;
  }
  const Object hashes = hash_files(path);
  std::int64_t bytes = 0;
  for (const auto& [name, hash] : hashes) {
    bytes += static_cast<std::int64_t>(fs::file_size(path / name));
  }
  facts.set("files", static_cast<std::int64_t>(hashes.size()));
  facts.set("bytes", bytes);
  facts.set("sha256", sha256(to_json(hashes)));
  return facts;
}

void collect(const Object& object, const std::string& name, Object& facts) {
  for (const auto& [key, node] : object) {
    if (node.is_object()) collect(node.as_object(), fmt::format("{}.{}", name, key), facts);
    if (key != "path" || !node.is_string()) continue;
    const fs::path path = node.as_string();
    std::error_code unknown;
    const auto kind = fs::status(path, unknown);
    const bool is_data = fs::is_regular_file(kind) || fs::is_directory(kind);
    if (is_data) facts.set(name, facts_of(path));
  }
}

const Node* hash_in(const Node& facts) {
  return facts.is_object() ? facts.as_object().find("sha256") : nullptr;
}

// Whether the data is that of one of these corpora, or of a reader within it.
bool is_of(std::string_view data, std::initializer_list<std::string_view> corpora) {
  return std::any_of(corpora.begin(), corpora.end(), [&](std::string_view corpus) {
    if (corpus.empty() || !data.starts_with(corpus)) return false;
    return data.size() == corpus.size() || data[corpus.size()] == '.';
  });
}

}  // namespace

Object data_facts(const Config& values) {
  Object facts;
  const Node* corpora = values.find("corpora");
  if (corpora != nullptr && corpora->is_object()) collect(corpora->as_object(), "corpora", facts);
  return facts;
}

void check_same_data(const Object& at_start, const Object& now,
                     std::initializer_list<std::string_view> used) {
  std::string changed;
  for (const auto& [name, facts] : now) {
    if (at_start.contains(name) || !is_of(name, used)) continue;
    changed += fmt::format("{}[{}]", changed.empty() ? "" : ", ", name);
  }
  for (const auto& [name, facts] : at_start) {
    const Node* other = now.find(name);
    const Node* hash = hash_in(facts);
    const Node* other_hash = other == nullptr ? nullptr : hash_in(*other);
    const bool same = hash != nullptr && other_hash != nullptr && hash->same_value(*other_hash);
    if (!same) changed += fmt::format("{}[{}]", changed.empty() ? "" : ", ", name);
  }
  if (changed.empty()) return;
  throw Error(ErrorKind::data,
              fmt::format("the data of {} is not what it was when the run began; give the same "
                          "data, or start anew with --overwrite",
                          changed));
}

}  // namespace weft
