#include "framework/nn/attribute_codec.h"

#include <cstddef>
#include <utility>

#include "framework/io/msgpack_reader.h"
#include "framework/io/msgpack_writer.h"

namespace weft {

namespace {

constexpr int kDepth = 32;
// Values of one attribute: each takes a hundred bytes and may come from a single one.
constexpr std::size_t kMostValues = std::size_t{1} << 20;

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

// Reads one value of any kind.
class AttributeReader {
 public:
  explicit AttributeReader(MsgpackReader& in) : in_(in) {}

  Node read(int depth) {
    if (depth == 0) in_.cursor().fail("an attribute is nested too deeply");
    if (++values_ > kMostValues) in_.cursor().fail("an attribute has more than 1048576 values");
    switch (in_.peek()) {
      case MsgpackType::boolean:
        return in_.read_bool();
      case MsgpackType::integer:
        return in_.read_integer();
      case MsgpackType::floating:
        return in_.read_number();
      case MsgpackType::str:
      case MsgpackType::bin:
        return std::string(in_.read_str_or_bin());
      case MsgpackType::array:
        return read_list(depth);
      case MsgpackType::map:
        return read_object(depth);
      default:
        in_.skip_value();
        return nullptr;
    }
  }

 private:
  Node read_list(int depth) {
    List list;
    for (std::uint32_t left = in_.read_array(); left > 0; --left) list.push_back(read(depth - 1));
    return list;
  }

  Node read_object(int depth) {
    Object object;
    for (std::uint32_t left = in_.read_map(); left > 0; --left) {
      const std::string key(in_.read_str_or_bin());
      object.set(key, read(depth - 1));
    }
    return object;
  }

  MsgpackReader& in_;
  std::size_t values_ = 0;
};

}  // namespace

std::string attribute_to_bytes(const Node& value) {
  MsgpackWriter out;
  write(out, value);
  return out.take();
}

Node attribute_from_bytes(std::string_view bytes, const std::string& source) {
  MemoryCursor cursor(bytes, source);
  MsgpackReader in(cursor);
  Node value = AttributeReader(in).read(kDepth);
  cursor.require_end();
  return value;
}

}  // namespace weft
