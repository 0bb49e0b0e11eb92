#include "framework/text/category_codec.h"

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/unicode/unicode.h"

namespace weft {
namespace {

template <typename Number>
std::optional<CategoryValue> number_in(std::string_view bytes) {
  if (bytes.size() != sizeof(Number)) return std::nullopt;
  Number number;
  std::memcpy(&number, bytes.data(), sizeof number);
  if constexpr (std::is_floating_point_v<Number>) return static_cast<double>(number);
  return static_cast<std::int64_t>(number);
}

// NumPy's name of a little-endian type, "<f4", and the bytes of one value.
std::optional<CategoryValue> scalar(std::string_view type, std::string_view bytes) {
  if (type == "<f4") return number_in<float>(bytes);
  if (type == "<f8") return number_in<double>(bytes);
  if (type == "|i1") return number_in<std::int8_t>(bytes);
  if (type == "<i2") return number_in<std::int16_t>(bytes);
  if (type == "<i4") return number_in<std::int32_t>(bytes);
  if (type == "<i8") return number_in<std::int64_t>(bytes);
  if (type == "|u1") return number_in<std::uint8_t>(bytes);
  if (type == "<u2") return number_in<std::uint16_t>(bytes);
  if (type == "<u4") return number_in<std::uint32_t>(bytes);
  if (type == "<u8") return number_in<std::uint64_t>(bytes);
  if (type == "|b1" && bytes.size() == 1) return CategoryValue(bytes[0] != 0);
  return std::nullopt;
}

CategoryValue read_scalar(MsgpackReader& reader) {
  std::string type;
  std::string data;
  for (std::uint32_t pairs = reader.read_map(); pairs > 0; --pairs) {
    const std::string key(reader.read_str_or_bin());
    if (key == "type") {
      type = reader.read_str_or_bin();
    } else if (key == "data") {
      data = reader.read_str_or_bin();
    } else {
      reader.skip_value();
    }
  }
  if (const auto value = scalar(type, data)) return *value;
  reader.cursor().fail("a category whose value is no number");
}

CategoryValue read_value(MsgpackReader& reader) {
  switch (reader.peek()) {
    case MsgpackType::boolean:
      return reader.read_bool();
    case MsgpackType::integer:
      return reader.read_integer();
    case MsgpackType::floating:
      return reader.read_number();
    case MsgpackType::map:
      return read_scalar(reader);
    default:
      reader.cursor().fail("a category whose value is no number");
  }
}

}  // namespace

void read_cats(MsgpackReader& reader, ReadBudget& budget, Doc& doc) {
  constexpr std::uint64_t kCategory = 4 * sizeof(TextCategory);  // while the list grows
  constexpr std::uint64_t kLabelCopies = 8;  // escaped in a line, each byte takes six
  std::vector<TextCategory> cats;
  for (std::uint32_t pairs = reader.read_map(); pairs > 0; --pairs) {
    std::string label(reader.read_str());
    if (find_invalid_utf8(label)) reader.cursor().fail("a category that is not valid UTF-8");
    budget.charge(kLabelCopies * label.size() + kCategory, "its categories");
    cats.push_back({std::move(label), read_value(reader)});
  }
  const std::size_t pairs = cats.size();
  doc.set_cats(std::move(cats));
  if (doc.cats().size() < pairs) reader.cursor().fail("a category that is there twice");
}

void write_cats(const Doc& doc, MsgpackWriter& writer) {
  writer.map(static_cast<std::uint32_t>(doc.cats().size()));
  for (const TextCategory& cat : doc.cats()) {
    writer.str(cat.label);
    if (const auto* number = std::get_if<double>(&cat.value)) {
      writer.number(*number);
    } else if (const auto* integer = std::get_if<std::int64_t>(&cat.value)) {
      writer.integer(*integer);
    } else {
      writer.boolean(std::get<bool>(cat.value));
    }
  }
}

}  // namespace weft
