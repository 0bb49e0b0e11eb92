#include "framework/text/vectors_file.h"

#include <unordered_set>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/byte_cursor.h"
#include "framework/io/json_file.h"
#include "framework/io/msgpack_reader.h"
#include "framework/io/msgpack_writer.h"
#include "framework/io/npy.h"
#include "framework/io/pretty_json.h"
#include "framework/text/vector_attrs.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/base/seeded_hash.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

// vectors.cfg, and what it lacks from the defaults of the format.
class Settings {
 public:
  explicit Settings(const fs::path& file) : name_(file.string()) {
    if (!is_there(file)) return;
    values_ = read_json_object(file);
  }

  bool is_floret() const {
    const std::string mode = text("mode", "default");
    if (mode == "floret") return true;
    if (mode != "default") fail(fmt::format("mode '{}' is neither default nor floret", mode));
    return false;
  }

  FloretSettings floret() const {
    return {number("minn", 0),      number("maxn", 0), number("hash_count", 0),
            number("hash_seed", 0), text("bow", "<"),  text("eow", ">")};
  }

  Attr attr() const {
    const auto attr = static_cast<Attr>(number("attr", 65));
    const auto mode = is_floret() ? Vectors::Mode::floret : Vectors::Mode::by_key;
    if (is_vector_attr(mode, attr)) return attr;
    fail(fmt::format("attr {} is no attribute to look vectors up by; it is the number of {}",
                     static_cast<std::uint32_t>(attr), vector_attr_names(mode)));
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::data, fmt::format("{}: {}", name_, what));
  }

  std::uint32_t number(const char* key, std::uint32_t otherwise) const {
    const Node* value = values_.find(key);
    if (value == nullptr) return otherwise;
    // An integer may have more than 64 bits.
    const auto* number = std::get_if<std::int64_t>(&value->value());
    if (number == nullptr || !std::in_range<std::uint32_t>(*number)) {
      fail(fmt::format("{} is no number of 32 bits", key));
    }
    return static_cast<std::uint32_t>(*number);
  }

  std::string text(const char* key, const char* otherwise) const {
    const Node* value = values_.find(key);
    if (value == nullptr) return otherwise;
    if (!value->is_string()) fail(fmt::format("{} is no text", key));
    return value->as_string();
  }

  std::string name_;
  Object values_;
};

void require_keys(bool are_there, const fs::path& file, const char* fault, std::int64_t rows) {
  if (are_there || rows == 0) return;
  throw Error(ErrorKind::data, fmt::format("{} {}: the vectors beside it have {} rows, and no word "
                                           "would find one",
                                           file.string(), fault, rows));
}

std::vector<Vectors::KeyRow> read_keys(const fs::path& file, std::int64_t rows) {
  std::vector<Vectors::KeyRow> keys;
  require_keys(is_there(file), file, "is not there", rows);
  if (!is_there(file)) return keys;
  const std::string bytes = read_file(file);
  MemoryCursor cursor(bytes, file.string());
  MsgpackReader reader(cursor);
  std::unordered_set<StringId, SeededHash> known;
  for (std::uint32_t left = reader.read_map(); left > 0; --left) {
    const auto key = static_cast<StringId>(reader.read_integer());
    const std::int64_t row = reader.read_integer();
    if (row < 0 || row > 0x7fffffff) cursor.fail(fmt::format("{} is no row", row));
    if (!known.insert(key).second) cursor.fail(fmt::format("the key {} is there twice", key));
    keys.emplace_back(key, static_cast<std::int32_t>(row));
  }
  cursor.require_end();
  require_keys(!keys.empty(), file, "is empty", rows);
  return keys;
}

std::string packed_keys(const Vectors& vectors) {
  MsgpackWriter out;
  out.map(static_cast<std::uint32_t>(vectors.keys().size()));
  for (const auto& [key, row] : vectors.keys()) {
    out.unsigned_integer(key);
    out.integer(row);
  }
  return out.take();
}

Object settings_of(const Vectors& vectors) {
  Object settings;
  if (vectors.mode() == Vectors::Mode::by_key) {
    settings.set("mode", "default");
    // The default is left out, as in the reference, which reads another one but never writes it.
    if (vectors.attr() != Attr::orth) {
      settings.set("attr", static_cast<std::int64_t>(vectors.attr()));
    }
    return settings;
  }
  const FloretSettings& floret = vectors.floret();
  settings.set("mode", "floret");
  settings.set("minn", std::int64_t{floret.min_ngram});
  settings.set("maxn", std::int64_t{floret.max_ngram});
  settings.set("hash_count", std::int64_t{floret.hash_count});
  settings.set("hash_seed", std::int64_t{floret.hash_seed});
  settings.set("bow", floret.begin);
  settings.set("eow", floret.end);
  settings.set("attr", static_cast<std::int64_t>(vectors.attr()));
  return settings;
}

}  // namespace

Vectors read_vectors(const fs::path& folder) {
  const Settings settings(folder / "vectors.cfg");
  Tensor table = Tensor::zeros({0, 0});
  if (is_there(folder / "vectors")) table = read_npy_matrix(folder / "vectors");
  std::vector<Vectors::KeyRow> keys;
  if (!settings.is_floret()) keys = read_keys(folder / "key2row", table.shape()[0]);
  try {
    if (settings.is_floret()) return {std::move(table), settings.floret(), settings.attr()};
    return {std::move(table), std::move(keys), settings.attr()};
  } catch (const Error& error) {
    throw Error(ErrorKind::data, fmt::format("{}: {}", folder.string(), error.what()));
  }
}

void write_vectors(const Vectors& vectors, const fs::path& folder) {
  write_npy_matrix(folder / "vectors", vectors.table());
  write_file(folder / "key2row", packed_keys(vectors));
  write_file(folder / "vectors.cfg", to_pretty_json(settings_of(vectors)));
}

}  // namespace weft
