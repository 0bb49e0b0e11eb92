#include "framework/pipeline/vocab_files.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/byte_cursor.h"
#include "framework/io/msgpack_reader.h"
#include "framework/io/pretty_json.h"
#include "registry/error.h"
#include "registry/json.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEmptyMap("\x80", 1);

// A NumPy file (version 1.0) without rows or columns, padded to 128 bytes.
std::string empty_vectors() {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 0), }";
  header.resize(117, ' ');
  header += '\n';
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header;
}

std::string empty_file(std::string_view name) {
  if (name == "vectors") return empty_vectors();
  if (name == "vectors.cfg") return "{\n  \"mode\":\"default\"\n}";
  return std::string(kEmptyMap);
}

constexpr std::array<std::string_view, 4> kFiles = {"lookups.bin", "vectors", "key2row",
                                                    "vectors.cfg"};

void read_strings(const Vocab& vocab, const fs::path& file) {
  if (!fs::exists(file)) {
    throw Error(ErrorKind::data, fmt::format("{} is missing", file.string()));
  }
  const auto strings = parse_json(read_file(file));
  if (!strings || !strings->is_list()) {
    throw Error(ErrorKind::data, fmt::format("{} is no JSON list of strings", file.string()));
  }
  for (const Node& text : strings->as_list()) {
    if (!text.is_string()) {
      throw Error(ErrorKind::data,
                  fmt::format("{} holds {} among its strings", file.string(), text.type_name()));
    }
    vocab.strings().add(text.as_string());
  }
}

Vocab::Norms read_norms(MsgpackReader& reader) {
  Vocab::Norms norms;
  for (std::uint32_t left = reader.read_map(); left > 0; --left) {
    const auto id = static_cast<StringId>(reader.read_integer());
    norms[id] = std::string(reader.read_str());
  }
  return norms;
}

void read_lookups(Vocab& vocab, const std::string& bytes, const fs::path& file) {
  MemoryCursor cursor(bytes, file.string());
  MsgpackReader reader(cursor);
  for (std::uint32_t left = reader.read_map(); left > 0; --left) {
    const std::string table(reader.read_str());
    if (table == "lexeme_norm") {
      vocab.set_lexeme_norms(read_norms(reader));
    } else {
      reader.skip_value();
    }
  }
}

}  // namespace

void write_vocab(const Vocab& vocab, const VocabFiles& files, const fs::path& folder) {
  fs::create_directories(folder);
  List strings;
  for (std::string& text : vocab.strings().sorted()) strings.emplace_back(std::move(text));
  write_file(folder / "strings.json", to_pretty_json(strings));
  for (const std::string_view name : kFiles) {
    const auto kept = files.find(std::string(name));
    write_file(folder / name, kept == files.end() ? empty_file(name) : kept->second);
  }
}

VocabFiles read_vocab(Vocab& vocab, const fs::path& folder) {
  VocabFiles files;
  if (!fs::exists(folder)) return files;
  read_strings(vocab, folder / "strings.json");
  for (const std::string_view name : kFiles) {
    const fs::path file = folder / name;
    if (fs::exists(file)) files[std::string(name)] = read_file(file);
  }
  const auto lookups = files.find("lookups.bin");
  if (lookups != files.end()) read_lookups(vocab, lookups->second, folder / "lookups.bin");
  return files;
}

}  // namespace weft
