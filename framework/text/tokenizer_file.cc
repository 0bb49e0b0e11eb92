#include "framework/text/tokenizer_file.h"

#include <algorithm>

#include <fmt/format.h>
#include <msgpack.hpp>

#include "framework/io/byte_cursor.h"
#include "framework/io/msgpack_reader.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"
#include "registry/base/letter_case.h"

namespace weft {
namespace {

// Numbers of spaCy's attributes ORTH and NORM.
constexpr std::uint64_t kOrth = 65, kNorm = 67;
constexpr std::size_t kMaxDepth = 32;
// Reading takes some fifty times the file's size.
constexpr std::size_t kMaxBytes = std::size_t{16} << 20;

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorKind::data, "tokenizer file: " + what);
}

bool is_text(const msgpack::object& value) {
  return value.type == msgpack::type::STR;
}

std::string text_of(const msgpack::object& value) {
  std::string text(value.via.str.ptr, value.via.str.size);
  if (find_invalid_utf8(text)) fail("a text is not valid UTF-8");
  return text;
}

// ORTH or NORM; `name` gets the key's text if it is one.
std::uint64_t attribute(const msgpack::object& key, const std::string& rule, std::string& name) {
  std::uint64_t id = key.type == msgpack::type::POSITIVE_INTEGER ? key.via.u64 : 0;
  if (is_text(key)) {
    name = text_of(key);
    id = upper_case(name) == "ORTH" ? kOrth : upper_case(name) == "NORM" ? kNorm : 0;
  }
  if (id == kOrth || id == kNorm) return id;
  fail(fmt::format("special case \"{}\": a token may set ORTH and NORM only (E1005)", rule));
}

SpecialToken read_token(const msgpack::object& value, const std::string& rule) {
  if (value.type != msgpack::type::MAP) fail(fmt::format("special case \"{}\": no map", rule));
  SpecialToken token;
  bool has_orth = false;
  for (const auto& [key, text] : value.via.map) {
    std::string name;
    const bool orth = attribute(key, rule, name) == kOrth;
    if (!is_text(text)) fail(fmt::format("special case \"{}\": a value is no text", rule));
    if (orth) {
      token.orth = text_of(text);
      token.orth_key = name;
      has_orth = true;
    } else {
      token.norm = text_of(text);
      token.norm_key = name;
    }
  }
  if (!has_orth) fail(fmt::format("special case \"{}\": a token without ORTH", rule));
  return token;
}

SpecialCase read_case(const msgpack::object& key, const msgpack::object& value) {
  if (!is_text(key)) fail("the text of a special case is no text");
  SpecialCase special{text_of(key), {}};
  if (value.type != msgpack::type::ARRAY) {
    fail(fmt::format("special case \"{}\": no list of tokens", special.text));
  }
  std::string joined;
  for (const auto& token : value.via.array) {
    special.tokens.push_back(read_token(token, special.text));
    joined += special.tokens.back().orth;
  }
  if (joined != special.text) {
    fail(
        fmt::format("special case \"{}\": its tokens make up \"{}\" (E997)", special.text, joined));
  }
  return special;
}

void read_cases(const msgpack::object& map, std::vector<SpecialCase>& cases) {
  cases.reserve(map.via.map.size);
  for (const auto& [key, value] : map.via.map) cases.push_back(read_case(key, value));
  const auto by_text = [](const auto& a, const auto& b) { return a.text < b.text; };
  if (!std::is_sorted(cases.begin(), cases.end(), by_text)) {  // as spaCy writes them
    std::stable_sort(cases.begin(), cases.end(), by_text);
  }
  for (std::size_t i = 1; i < cases.size(); ++i) {
    if (cases[i].text == cases[i - 1].text) {
      fail(fmt::format("special case \"{}\" is given twice", cases[i].text));
    }
  }
}

std::optional<std::string>* pattern_of(TokenizerRules& rules, const std::string& key) {
  if (key == "prefix_search") return &rules.prefix_search;
  if (key == "suffix_search") return &rules.suffix_search;
  if (key == "infix_finditer") return &rules.infix_finditer;
  if (key == "token_match") return &rules.token_match;
  if (key == "url_match") return &rules.url_match;
  return nullptr;
}

// Whether the key is one of a tokenizer's. A value of another type counts as absent, as in spaCy.
bool read_entry(const std::string& key, const msgpack::object& value, TokenizerRules& rules) {
  if (std::optional<std::string>* const pattern = pattern_of(rules, key)) {
    if (is_text(value)) *pattern = text_of(value);
    return true;
  }
  if (key == "faster_heuristics") {
    if (value.type == msgpack::type::BOOLEAN) rules.faster_heuristics = value.via.boolean;
    return true;
  }
  if (key != "exceptions") return false;
  if (value.type == msgpack::type::MAP) read_cases(value, rules.special_cases);
  return true;
}

using Packer = msgpack::packer<msgpack::sbuffer>;

// A key is written as it was read, by name or by number, so that a file survives a round trip.
void pack_key(Packer& out, const std::string& name, std::uint64_t id) {
  if (name.empty()) {
    out.pack(id);
  } else {
    out.pack(name);
  }
}

void pack_case(Packer& out, const SpecialCase& special) {
  out.pack(special.text);
  out.pack_array(static_cast<std::uint32_t>(special.tokens.size()));
  for (const SpecialToken& token : special.tokens) {
    out.pack_map(token.norm ? 2 : 1);
    pack_key(out, token.orth_key, kOrth);
    out.pack(token.orth);
    if (!token.norm) continue;
    pack_key(out, token.norm_key, kNorm);
    out.pack(*token.norm);
  }
}

void pack_pattern(Packer& out, std::string_view key, const std::optional<std::string>& pattern) {
  out.pack(key);
  if (pattern) {
    out.pack(*pattern);
  } else {
    out.pack_nil();
  }
}

// The library takes memory for all parts that an array or a map claims to have before it looks at
// one, and for arrays within arrays each time: claims that the bytes do not keep are found here.
void check_claims(std::string_view bytes) {
  MemoryCursor cursor(bytes, "tokenizer file");
  try {
    MsgpackReader(cursor).skip_value();
  } catch (const Error& error) {
    fail(fmt::format("not valid msgpack ({})", error.message()));
  }
  if (!cursor.at_end()) fail("bytes follow its end");
}

}  // namespace

TokenizerRules read_tokenizer_rules(std::string_view bytes) {
  if (bytes.size() > kMaxBytes) {
    fail(fmt::format("{} bytes, more than {} (docs/limits.md)", bytes.size(), kMaxBytes));
  }
  check_claims(bytes);
  // No array, map, text or blob can have more parts than the file has bytes.
  const std::size_t most = bytes.size();
  const msgpack::unpack_limit limit(most, most, most, most, most, kMaxDepth);
  msgpack::object_handle handle;
  try {
    handle = msgpack::unpack(bytes.data(), bytes.size(), nullptr, nullptr, limit);
  } catch (const msgpack::unpack_error& error) {
    fail(fmt::format("not valid msgpack ({})", error.what()));
  }
  if (handle->type != msgpack::type::MAP) fail("it is no map");
  TokenizerRules rules;
  bool is_tokenizer = false;
  for (const auto& [key, value] : handle->via.map) {
    if (is_text(key) && read_entry(text_of(key), value, rules)) is_tokenizer = true;
  }
  if (!is_tokenizer) fail("it has none of the keys of a tokenizer");
  return rules;
}

std::string write_tokenizer_rules(const TokenizerRules& rules) {
  msgpack::sbuffer buffer;
  Packer out(buffer);
  out.pack_map(7);
  pack_pattern(out, "prefix_search", rules.prefix_search);
  pack_pattern(out, "suffix_search", rules.suffix_search);
  pack_pattern(out, "infix_finditer", rules.infix_finditer);
  pack_pattern(out, "token_match", rules.token_match);
  pack_pattern(out, "url_match", rules.url_match);
  out.pack("exceptions");
  out.pack_map(static_cast<std::uint32_t>(rules.special_cases.size()));
  for (const SpecialCase& special : rules.special_cases) pack_case(out, special);
  out.pack("faster_heuristics");
  out.pack(rules.faster_heuristics);
  return {buffer.data(), buffer.size()};
}

}  // namespace weft
