#include "framework/io/msgpack_node.h"

#include <charconv>
#include <cstddef>
#include <string>
#include <utility>

#include "registry/base/error.h"

namespace weft {
namespace {

constexpr int kDeepest = 512;
constexpr std::size_t kMostValues = 2'000'000;

class NodeReader {
 public:
  NodeReader(MsgpackReader& reader, const NameOfKey& name_of_key)
      : reader_(reader), name_of_key_(name_of_key) {}

  // The depth bounds the stack, since values read each other, and the count bounds the memory: an
  // element of a list can be a single byte in the file, and is a whole Node here.
  Node read(int depth) {
    if (depth > kDeepest) reader_.cursor().fail("it is nested more than 512 levels deep");
    if (++values_ > kMostValues) reader_.cursor().fail("it has more than two million values");
    switch (reader_.peek()) {
      case MsgpackType::nil:
        return reader_.read_nil(), Node();
      case MsgpackType::boolean:
        return reader_.read_bool();
      case MsgpackType::integer:
        return read_integer();
      case MsgpackType::floating:
        return reader_.read_number();
      case MsgpackType::str:
        return std::string(reader_.read_text());
      case MsgpackType::array:
        return read_list(depth);
      case MsgpackType::map:
        return read_object(depth);
      default:
        reader_.cursor().fail("there is " + std::string(name_of(reader_.peek())) +
                              " where a plain value belongs");
    }
  }

 private:
  // Room grows with what is read: the count is only believed as far as values follow.
  Node read_list(int depth) {
    List list;
    for (std::uint32_t left = reader_.read_array(); left > 0; --left) {
      list.push_back(read(depth + 1));
    }
    return list;
  }
  Node read_object(int depth) {
    Object object;
    for (std::uint32_t left = reader_.read_map(); left > 0; --left) {
      const std::string key = read_key();
      object.set(key, read(depth + 1));
    }
    return object;
  }

  Node read_integer() {
    if (!reader_.wraps()) return reader_.read_integer();
    return BigInteger{std::to_string(static_cast<std::uint64_t>(reader_.read_integer()))};
  }

  std::string read_key() {
    if (!name_of_key_ || reader_.peek() != MsgpackType::integer) {
      return std::string(reader_.read_text());
    }
    return name_of_key_(reader_.read_integer());
  }

  MsgpackReader& reader_;
  const NameOfKey& name_of_key_;
  std::size_t values_ = 0;
};

struct NodeWriter {
  MsgpackWriter& out;

  void operator()(std::nullptr_t) const { out.nil(); }
  void operator()(bool value) const { out.boolean(value); }
  void operator()(std::int64_t value) const { out.integer(value); }
  void operator()(const BigInteger& value) const {
    std::uint64_t number = 0;
    const char* const end = value.digits.data() + value.digits.size();
    const auto [stop, fault] = std::from_chars(value.digits.data(), end, number);
    if (fault == std::errc() && stop == end) return out.unsigned_integer(number);
    throw Error(ErrorKind::data, "MessagePack has no integer as large as " + value.digits);
  }
  void operator()(double value) const { out.number(value); }
  void operator()(const std::string& value) const { out.str(value); }
  void operator()(const List& list) const {
    out.array(static_cast<std::uint32_t>(list.size()));
    for (const Node& node : list) write_node(out, node);
  }
  void operator()(const Object& object) const {
    out.map(static_cast<std::uint32_t>(object.size()));
    for (const auto& [key, node] : object) {
      out.str(key);
      write_node(out, node);
    }
  }
};

}  // namespace

Node read_node(MsgpackReader& reader, const NameOfKey& name_of_key) {
  return NodeReader(reader, name_of_key).read(1);
}

void write_node(MsgpackWriter& writer, const Node& node) {
  std::visit(NodeWriter{writer}, node.value());
}

}  // namespace weft
