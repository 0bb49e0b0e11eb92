#include "tests/tools/hostile/doc_bin_parts.h"

#include "framework/text/string_store.h"

namespace weft::testing_tools {
namespace {

constexpr std::int64_t kOrth = 65;

std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 0xFF);
  return text;
}

}  // namespace

std::string head(unsigned char type, std::uint64_t length) {
  std::string bytes(1, static_cast<char>(type));
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(length >> shift & 0xFF);
  return bytes;
}

DocBinParts::DocBinParts(std::uint64_t tokens) {
  set("version", packed([](auto& to) { to.str("0.1"); }));
  set("attrs", packed([](auto& to) { to.array(1), to.integer(kOrth); }));
  set("tokens", [tokens](InflatingFile& file) {
    file.add(bin_head(8 * tokens));
    file.add_times(little_endian(string_id("a"), 8), tokens);
  });
  set("spaces", [tokens](InflatingFile& file) {
    file.add(bin_head(tokens));
    file.add_times("\x01", tokens);
  });
  set("lengths", bin_head(4) + little_endian(tokens, 4));
  set("strings", packed([](auto& to) { to.array(2), to.str(""), to.str("a"); }));
  set_only("cats", packed([](auto& to) { to.map(0); }));
  set_only("flags", packed([](auto& to) { to.map(0); }));
  set_only("span_groups", packed([](auto& to) { to.bin(packed([](auto& in) { in.map(0); })); }));
}

void DocBinParts::set(const std::string& key, Fill fill) {
  for (auto& [name, part] : parts_) {
    if (name != key) continue;
    part = std::move(fill);
    return;
  }
  add(key, std::move(fill));
}

void DocBinParts::set(const std::string& key, std::string value) {
  set(key, [value = std::move(value)](InflatingFile& file) { file.add(value); });
}

void DocBinParts::add(const std::string& key, Fill fill) {
  parts_.emplace_back(key, std::move(fill));
}

void DocBinParts::set_only(const std::string& key, std::string_view element) {
  set(key, packed([](auto& to) { to.array(1); }) + std::string(element));
}

std::string DocBinParts::bytes() const {
  InflatingFile file;
  file.add(map_head(parts_.size()));
  for (const auto& [key, fill] : parts_) {
    file.add(str_head(key.size()) + key);
    fill(file);
  }
  return file.bytes();
}

}  // namespace weft::testing_tools
