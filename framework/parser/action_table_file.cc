// The `moves` file: a msgpack map of the frequencies as JSON text and of {"neg_key": nil or str}.
#include <cstring>
#include <string>

#include <msgpack.hpp>

#include "framework/parser/action_table.h"
#include "registry/error.h"

namespace weft {

namespace {

// Nothing in the file can claim more elements than the file has bytes, nor nest deeply.
msgpack::unpack_limit limit_for(std::size_t bytes) {
  constexpr std::size_t kDepth = 16;
  return {bytes, bytes, bytes, bytes, bytes, kDepth};
}

Error broken(std::string_view source, const std::string& what) {
  return Error(ErrorKind::data, std::string(source) + ": " + what);
}

const msgpack::object* find(const msgpack::object& map, std::string_view key) {
  if (map.type != msgpack::type::MAP) return nullptr;
  for (const msgpack::object_kv& pair : map.via.map) {
    if (pair.key.type != msgpack::type::STR) continue;
    if (std::string_view(pair.key.via.str.ptr, pair.key.via.str.size) == key) return &pair.val;
  }
  return nullptr;
}

std::optional<std::string> negative_key_in(const msgpack::object& root) {
  const msgpack::object* cfg = find(root, "cfg");
  const msgpack::object* key = cfg != nullptr ? find(*cfg, "neg_key") : nullptr;
  if (key == nullptr || key->type != msgpack::type::STR) return std::nullopt;
  return std::string(key->via.str.ptr, key->via.str.size);
}

msgpack::object_handle unpack(std::string_view bytes, std::string_view source) {
  try {
    return msgpack::unpack(bytes.data(), bytes.size(), nullptr, nullptr, limit_for(bytes.size()));
  } catch (const msgpack::unpack_error& error) {
    throw broken(source, std::string("damaged msgpack: ") + error.what());
  }
}

}  // namespace

std::string ActionTable::to_bytes() const {
  msgpack::sbuffer buffer;
  msgpack::packer<msgpack::sbuffer> packer(buffer);
  packer.pack_map(2);
  packer.pack("moves");
  packer.pack(to_json());
  packer.pack("cfg");
  packer.pack_map(1);
  packer.pack("neg_key");
  if (negative_key_) {
    packer.pack(*negative_key_);
  } else {
    packer.pack_nil();
  }
  return {buffer.data(), buffer.size()};
}

ActionTable ActionTable::from_bytes(std::string_view bytes, std::string_view source) {
  const msgpack::object_handle handle = unpack(bytes, source);
  const msgpack::object* moves = find(handle.get(), "moves");
  if (moves == nullptr || moves->type != msgpack::type::STR) {
    throw broken(source, "no text under 'moves'");
  }
  ActionTable table = from_json({moves->via.str.ptr, moves->via.str.size}, source);
  table.set_negative_key(negative_key_in(handle.get()));
  return table;
}

}  // namespace weft
