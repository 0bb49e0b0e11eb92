#include "framework/comm/store_message.h"

#include <cstdint>

#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::size_t kLengthBytes = 4;

[[noreturn]] void refuse(const char* what) {
  throw Error(ErrorKind::data, std::string("a message to the store of the ranks has ") + what);
}

void append_length(std::string& to, std::size_t length) {
  for (std::size_t i = 0; i < kLengthBytes; ++i) {
    to += static_cast<char>((length >> (8 * i)) & 0xFFU);
  }
}

std::size_t length_at(std::string_view bytes) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i) {
    length |= static_cast<std::size_t>(static_cast<std::uint8_t>(bytes[i])) << (8 * i);
  }
  return length;
}

}  // namespace

// A kind (one byte), two lengths (four bytes each, little-endian), name and value. Bounds are
// checked as soon as the header is there, before the rest is waited for.
std::optional<ParsedRequest> parse_store_request(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  const auto kind = static_cast<StoreRequest::Kind>(bytes[0]);
  if (kind != StoreRequest::Kind::set && kind != StoreRequest::Kind::get) refuse("no kind");
  constexpr std::size_t header = 1 + 2 * kLengthBytes;
  if (bytes.size() < header) return std::nullopt;
  const std::size_t key = length_at(bytes.substr(1));
  const std::size_t value = length_at(bytes.substr(1 + kLengthBytes));
  if (key == 0 || key > kLongestStoreKey) refuse("a name of impossible length");
  if (value > (kind == StoreRequest::Kind::set ? kLongestStoreValue : 0)) {
    refuse("a value of impossible length");
  }
  if (bytes.size() < header + key + value) return std::nullopt;
  return ParsedRequest{{kind, std::string(bytes.substr(header, key)),
                        std::string(bytes.substr(header + key, value))},
                       header + key + value};
}

std::string store_request(const StoreRequest& request) {
  std::string bytes(1, static_cast<char>(request.kind));
  append_length(bytes, request.key.size());
  append_length(bytes, request.value.size());
  return bytes + request.key + request.value;
}

std::optional<ParsedAnswer> parse_store_answer(std::string_view bytes) {
  constexpr std::size_t header = 1 + kLengthBytes;
  if (bytes.size() < header) return std::nullopt;
  if (bytes[0] != '+' && bytes[0] != '-') refuse("an answer of no kind");
  const std::size_t length = length_at(bytes.substr(1));
  if (length > (bytes[0] == '+' ? kLongestStoreValue : 0)) refuse("an answer of impossible length");
  if (bytes.size() < header + length) return std::nullopt;
  ParsedAnswer answer{.value = {}, .length = header + length};
  if (bytes[0] == '+') answer.value = std::string(bytes.substr(header, length));
  return answer;
}

std::string store_answer(const std::optional<std::string>& value) {
  std::string bytes(1, value ? '+' : '-');
  append_length(bytes, value ? value->size() : 0);
  return value ? bytes + *value : bytes;
}

}  // namespace weft
