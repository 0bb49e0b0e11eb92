// The `moves` file: a msgpack map of the frequencies as JSON text and of {"neg_key": nil or str}.
#include <optional>
#include <string>
#include <utility>

#include "framework/io/msgpack_reader.h"
#include "framework/io/msgpack_writer.h"
#include "framework/parser/move_table.h"

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

std::string moves_to_bytes(const MovesFile& file) {
  MsgpackWriter out;
  out.map(2);
  out.str("moves");
  out.str(moves_to_json(file.frequencies));
  out.str("cfg");
  out.map(1);
  out.str("neg_key");
  file.negative_key ? out.str(*file.negative_key) : out.nil();
  return out.take();
}

MovesFile moves_from_bytes(std::string_view bytes, std::size_t moves, std::string_view source) {
  MemoryCursor cursor(bytes, std::string(source));
  MsgpackReader in(cursor);
  std::optional<MoveFrequencies> frequencies;
  std::optional<std::string> negative_key;
  for (std::uint32_t left = in.read_map(); left > 0; --left) {
    const std::string key(in.read_str_or_bin());
    if (key == "moves") {
      frequencies = moves_from_json(in.read_str(), moves, source);
    } else if (key == "cfg" && in.peek() == MsgpackType::map) {
      negative_key = read_negative_key(in);
    } else {
      in.skip_value();
    }
  }
  cursor.require_end();
  if (!frequencies) cursor.fail("no text under 'moves'");
  return {std::move(*frequencies), std::move(negative_key)};
}

}  // namespace weft
