// The requests of the store by which ranks find each other: rank 0 keeps small values under names,
// the others put theirs there and ask for those of their peers. Sizes come from the network and are
// bounded before anything is allocated. Source: docs/distributed.md, "Gloo".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

inline constexpr std::size_t kLongestStoreKey = 1024;
inline constexpr std::size_t kLongestStoreValue = std::size_t{1} << 20;

struct StoreRequest {
  enum class Kind : char { set = 'S', get = 'G' };
  Kind kind = Kind::get;
  std::string key;
  std::string value;  // of `set`
};

struct ParsedRequest {
  StoreRequest request;
  std::size_t length = 0;  // bytes that it took
};

// The request that the bytes begin with; nothing where it has not come whole. Throws Error(data)
// for bytes that are no request.
WEFT_API std::optional<ParsedRequest> parse_store_request(std::string_view bytes);
WEFT_API std::string store_request(const StoreRequest& request);

// The answer to `get`: the value, or that there is none yet; to `set`: an empty value.
struct ParsedAnswer {
  std::optional<std::string> value;
  std::size_t length = 0;
};
// The answer that the bytes begin with; nothing where it has not come whole. Throws Error(data) for
// bytes that are no answer.
WEFT_API std::optional<ParsedAnswer> parse_store_answer(std::string_view bytes);
WEFT_API std::string store_answer(const std::optional<std::string>& value);

}  // namespace weft
