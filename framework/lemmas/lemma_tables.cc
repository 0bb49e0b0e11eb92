#include "framework/lemmas/lemma_tables.h"

#include <functional>

#include <fmt/format.h>

#include "framework/io/byte_cursor.h"
#include "framework/io/msgpack_reader.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// lemma_lookup, and the tables of single parts of speech.
constexpr const char* kLookupSuffixes[] = {
    "",       "_adj",  "_adp",  "_adv",  "_aux",   "_det",   "_intj", "_noun", "_num",
    "_other", "_part", "_pron", "_verb", "_cconj", "_sconj", "_sym",  "_x",    "_punct"};

std::string read_text(MsgpackReader& reader) {
  return std::string(reader.read_text());
}

std::vector<std::string> read_texts(MsgpackReader& reader) {
  std::vector<std::string> texts;
  for (std::uint32_t left = reader.read_array(); left > 0; --left) {
    texts.push_back(read_text(reader));
  }
  return texts;
}

// A text or a list of texts.
std::vector<std::string> read_text_or_texts(MsgpackReader& reader) {
  if (reader.peek() == MsgpackType::array) return read_texts(reader);
  return {read_text(reader)};
}

// A list stands for its first text; an empty one for no entry.
void read_lookup(MsgpackReader& reader, LemmaLookup& lookup) {
  for (std::uint32_t left = reader.read_map(); left > 0; --left) {
    const auto id = static_cast<StringId>(reader.read_integer());
    std::vector<std::string> lemmas = read_text_or_texts(reader);
    if (!lemmas.empty()) lookup[id] = std::move(lemmas.front());
  }
}

void read_endings(MsgpackReader& reader, LemmaRules& rules) {
  rules.endings.clear();
  for (std::uint32_t left = reader.read_array(); left > 0; --left) {
    if (reader.read_array() != 2) {
      reader.cursor().fail("a rule is not an ending and its replacement");
    }
    std::string old = read_text(reader);
    rules.endings.emplace_back(std::move(old), read_text(reader));
  }
}

void read_exceptions(MsgpackReader& reader, LemmaRules& rules) {
  for (std::uint32_t left = reader.read_map(); left > 0; --left) {
    std::string form = read_text(reader);
    rules.exceptions[std::move(form)] = read_text_or_texts(reader);
  }
}

// A list of lemmas, or a map whose keys are some.
void read_index(MsgpackReader& reader, LemmaRules& rules) {
  const bool list = reader.peek() == MsgpackType::array;
  for (std::uint32_t left = list ? reader.read_array() : reader.read_map(); left > 0; --left) {
    rules.index.insert(read_text(reader));
    if (!list) reader.skip_value();
  }
}

using ReadRules = std::function<void(MsgpackReader&, LemmaRules&)>;

}  // namespace

LemmaTables LemmaTables::read(const Lookups& lookups, const std::string& file) {
  LemmaTables tables;
  const std::string before = file.empty() ? "" : file + ": ";
  const auto by_pos = [&](const char* name, const ReadRules& read_one) {
    const std::string* packed = lookups.find(name);
    if (packed == nullptr) return;
    MemoryCursor cursor(*packed, fmt::format("{}the table {}", before, name));
    MsgpackReader reader(cursor);
    for (std::uint32_t left = reader.read_map(); left > 0; --left) {
      const auto pos = static_cast<StringId>(reader.read_integer());
      read_one(reader, tables.rules_[pos]);
    }
  };
  by_pos("lemma_rules", read_endings);
  by_pos("lemma_exc", read_exceptions);
  by_pos("lemma_index", read_index);
  for (const char* suffix : kLookupSuffixes) {
    const std::string name = std::string("lemma_lookup") + suffix;
    const std::string* packed = lookups.find(name);
    if (packed == nullptr) continue;
    MemoryCursor cursor(*packed, fmt::format("{}the table {}", before, name));
    MsgpackReader reader(cursor);
    read_lookup(reader, tables.lookups_[name]);
  }
  return tables;
}

const LemmaLookup* LemmaTables::lookup(std::string_view table) const {
  const auto found = lookups_.find(table);
  return found == lookups_.end() ? nullptr : &found->second;
}

const LemmaRules& LemmaTables::rules(std::string_view pos) const {
  static const LemmaRules& none = *new LemmaRules{};
  const auto found = rules_.find(string_id(pos));
  return found == rules_.end() ? none : found->second;
}

}  // namespace weft
