#include "framework/text/lookups.h"

#include <algorithm>
#include <unordered_set>

#include "framework/io/byte_cursor.h"
#include "framework/io/msgpack_reader.h"
#include "framework/io/msgpack_writer.h"
#include "framework/text/printable.h"

namespace weft {
namespace {

using Entries = std::vector<std::pair<StringId, std::string>>;

Entries read_entries(std::string_view packed, const std::string& source) {
  MemoryCursor cursor(packed, source);
  MsgpackReader reader(cursor);
  Entries entries;
  for (std::uint32_t left = reader.read_map(); left > 0; --left) {
    const auto id = static_cast<StringId>(reader.read_integer());
    entries.emplace_back(id, reader.read_text());
  }
  return entries;
}

std::string packed_entries(const Entries& entries) {
  MsgpackWriter out;
  out.map(static_cast<std::uint32_t>(entries.size()));
  for (const auto& [id, text] : entries) {
    out.unsigned_integer(id);
    out.str(text);
  }
  return out.take();
}

}  // namespace

Lookups Lookups::parse(std::string_view packed, const std::string& source) {
  Lookups lookups;
  lookups.source_ = source;
  MemoryCursor cursor(packed, source);
  MsgpackReader reader(cursor);
  std::unordered_set<std::string, SeededHash> names;
  for (std::uint32_t left = reader.read_map(); left > 0; --left) {
    std::string table(reader.read_text());
    if (!names.insert(table).second) {
      cursor.fail("the table \"" + printable_brief(table) + "\" is there twice");
    }
    lookups.tables_.emplace_back(std::move(table), reader.copy_value());
  }
  cursor.require_end();
  return lookups;
}

std::string Lookups::packed() const {
  MsgpackWriter out;
  out.map(static_cast<std::uint32_t>(tables_.size()));
  for (const auto& [name, table] : tables_) {
    out.str(name);
    out.packed(table);
  }
  return out.take();
}

const std::string* Lookups::find(std::string_view table) const {
  const auto found = std::find_if(tables_.begin(), tables_.end(),
                                  [&](const auto& entry) { return entry.first == table; });
  return found == tables_.end() ? nullptr : &found->second;
}

void Lookups::set(std::string table, std::string packed) {
  for (auto& [name, known] : tables_) {
    if (name != table) continue;
    known = std::move(packed);
    return;
  }
  tables_.emplace_back(std::move(table), std::move(packed));
}

Lookups::Norms Lookups::norms() const {
  const std::string* table = find(kNorms);
  if (table == nullptr) return {};
  Norms norms;
  for (auto& [id, norm] : read_entries(*table, source_)) norms[id] = std::move(norm);
  return norms;
}

void Lookups::add(const std::string& table,
                  const std::vector<std::pair<std::string, std::string>>& words) {
  const std::string* known = find(table);
  Entries entries = known == nullptr ? Entries() : read_entries(*known, source_);
  std::unordered_map<StringId, std::size_t, SeededHash> places;
  for (std::size_t i = 0; i < entries.size(); ++i) places[entries[i].first] = i;
  for (const auto& [word, text] : words) {
    const auto [place, added] = places.try_emplace(string_id(word), entries.size());
    if (added) {
      entries.emplace_back(place->first, text);
    } else {
      entries[place->second].second = text;
    }
  }
  set(table, packed_entries(entries));
}

}  // namespace weft
