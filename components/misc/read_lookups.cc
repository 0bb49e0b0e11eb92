// weft.read_lookups.v1: lookup tables from JSON files, each an object with texts as keys.
#include <filesystem>
#include <map>
#include <string>

#include <fmt/format.h>

#include "framework/io/json_file.h"
#include "framework/io/msgpack_node.h"
#include "framework/text/lookups.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct ReadLookups {
  std::map<std::string, std::filesystem::path> tables;
};

template <class V>
void fields(V& v, ReadLookups& c) {
  v.required("tables", c.tables, "name of each table and its JSON file, {\"word\": \"value\"}");
}

// Keys are hashed; a table of the vocabulary has texts, those of lemmatizers lists and maps too.
std::string packed_table(const std::filesystem::path& file) {
  require_there(file);
  const Node json = read_json_file(file);
  if (!json.is_object()) {
    throw Error(ErrorKind::data, fmt::format("{} is no JSON object", file.string()));
  }
  MsgpackWriter out;
  out.map(static_cast<std::uint32_t>(json.as_object().size()));
  for (const auto& [word, value] : json.as_object()) {
    out.unsigned_integer(string_id(word));
    write_node(out, value);
  }
  return out.take();
}

// Norms are texts.
void check_norms(const Lookups& lookups, const std::filesystem::path& file) {
  try {
    static_cast<void>(lookups.norms());
  } catch (const Error& error) {
    throw Error(ErrorKind::data, fmt::format("{}: {}", file.string(), error.message()));
  }
}

Lookups read_lookups(const ReadLookups& c) {
  Lookups lookups;
  for (const auto& [name, file] : c.tables) {
    lookups.set(name, packed_table(file));
    if (name == Lookups::kNorms) check_norms(lookups, file);
  }
  return lookups;
}

const Registration registered{"weft.read_lookups.v1", read_lookups,
                              "lookup tables, such as lexeme_norm or lemma_rules, from JSON files"};

}  // namespace
}  // namespace weft
