// The `moves` file: a msgpack map of the frequencies as JSON text and of {"neg_key": nil or str}.
#include <optional>
#include <string>

#include "framework/io/msgpack_reader.h"
#include "framework/io/msgpack_writer.h"
#include "framework/parser/action_table.h"

namespace weft {

namespace {

std::optional<std::string> read_negative_key(MsgpackReader& in) {
  std::optional<std::string> negative_key;
  for (std::uint32_t left = in.read_map(); left > 0; --left) {
    const bool wanted = in.read_str_or_bin() == "neg_key";
    if (wanted && in.peek() == MsgpackType::str) {
      negative_key = in.read_str();
    } else {
      in.skip_value();
    }
  }
  return negative_key;
}

}  // namespace

std::string ActionTable::to_bytes() const {
  MsgpackWriter out;
  out.map(2);
  out.str("moves");
  out.str(to_json());
  out.str("cfg");
  out.map(1);
  out.str("neg_key");
  negative_key_ ? out.str(*negative_key_) : out.nil();
  return out.take();
}

ActionTable ActionTable::from_bytes(std::string_view bytes, std::string_view source) {
  MemoryCursor cursor(bytes, std::string(source));
  MsgpackReader in(cursor);
  std::optional<ActionTable> table;
  std::optional<std::string> negative_key;
  for (std::uint32_t left = in.read_map(); left > 0; --left) {
    const std::string key(in.read_str_or_bin());
    if (key == "moves") {
      table = from_json(in.read_str(), source);
    } else if (key == "cfg" && in.peek() == MsgpackType::map) {
      negative_key = read_negative_key(in);
    } else {
      in.skip_value();
    }
  }
  if (!table) cursor.fail("no text under 'moves'");
  table->set_negative_key(std::move(negative_key));
  return *table;
}

}  // namespace weft
