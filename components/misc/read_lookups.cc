// weft.read_lookups.v1: lookup tables from JSON files, each an object of texts by text.
#include <filesystem>
#include <map>
#include <string>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/text/lookups.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"
#include "registry/value/json.h"

namespace weft {
namespace {

struct ReadLookups {
  std::map<std::string, std::filesystem::path> tables;
};

template <class V>
void fields(V& v, ReadLookups& c) {
  v.required("tables", c.tables, "name of each table and its JSON file, {\"word\": \"value\"}");
}

using Entries = std::vector<std::pair<std::string, std::string>>;

Entries read_table(const std::filesystem::path& file) {
  const auto json = parse_json(read_file(file));
  if (!json || !json->is_object()) {
    throw Error(ErrorKind::data, fmt::format("{} is no JSON object", file.string()));
  }
  Entries entries;
  for (const auto& [word, value] : json->as_object()) {
    if (!value.is_string()) {
      throw Error(ErrorKind::data, fmt::format("{}: the value of '{}' is {}, not a text",
                                               file.string(), word, value.type_name()));
    }
    entries.emplace_back(word, value.as_string());
  }
  return entries;
}

Lookups read_lookups(const ReadLookups& c) {
  Lookups lookups;
  for (const auto& [name, file] : c.tables) lookups.add(name, read_table(file));
  return lookups;
}

const Registration registered{"weft.read_lookups.v1", read_lookups,
                              "lookup tables, such as lexeme_norm, from JSON files"};

}  // namespace
}  // namespace weft
