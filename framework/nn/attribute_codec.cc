#include "framework/nn/attribute_codec.h"

#include <utility>

#include "framework/io/msgpack_reader.h"
#include "framework/io/msgpack_writer.h"

namespace weft {

namespace {

constexpr int kDepth = 32;

void write(MsgpackWriter& out, const Node& value) {
  if (value.is_bool()) return out.boolean(value.as_bool());
  if (value.is_integer()) return out.integer(value.as_integer());
  if (value.is_float()) return out.number(value.as_float());
  if (value.is_string()) return out.str(value.as_string());
  if (value.is_list()) {
    out.array(static_cast<std::uint32_t>(value.as_list().size()));
    for (const Node& item : value.as_list()) write(out, item);
  } else if (value.is_object()) {
    out.map(static_cast<std::uint32_t>(value.as_object().size()));
    for (const auto& [key, item] : value.as_object()) {
      out.str(key);
      write(out, item);
    }
  } else {
    out.nil();
  }
}

Node read(MsgpackReader& in, int depth);

Node read_list(MsgpackReader& in, int depth) {
  List list;
  for (std::uint32_t left = in.read_array(); left > 0; --left) list.push_back(read(in, depth - 1));
  return list;
}

Node read_object(MsgpackReader& in, int depth) {
  Object object;
  for (std::uint32_t left = in.read_map(); left > 0; --left) {
    const std::string key(in.read_str_or_bin());
    object.set(key, read(in, depth - 1));
  }
  return object;
}

Node read(MsgpackReader& in, int depth) {
  if (depth == 0) in.cursor().fail("an attribute is nested too deeply");
  switch (in.peek()) {
    case MsgpackType::boolean:
      return in.read_bool();
    case MsgpackType::integer:
      return in.read_integer();
    case MsgpackType::floating:
      return in.read_number();
    case MsgpackType::str:
    case MsgpackType::bin:
      return std::string(in.read_str_or_bin());
    case MsgpackType::array:
      return read_list(in, depth);
    case MsgpackType::map:
      return read_object(in, depth);
    default:
      in.skip_value();
      return nullptr;
  }
}

}  // namespace

std::string attribute_to_bytes(const Node& value) {
  MsgpackWriter out;
  write(out, value);
  return out.take();
}

Node attribute_from_bytes(std::string_view bytes, const std::string& source) {
  MemoryCursor cursor(bytes, source);
  MsgpackReader in(cursor);
  return read(in, kDepth);
}

}  // namespace weft
