// How large a JSON document, and all values of a file together, may be.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

constexpr std::size_t kMostJsonValues = std::size_t{1} << 21;
constexpr std::size_t kDeepestJson = 512;  // lists and objects within each other

// parse_json that tells a document beyond the limits from one that is no JSON.
std::optional<Node> parse_json(std::string_view text, bool& over_limit);

// parse_json for the records of strangers: an object that has a key twice, of which one value would
// be lost, is refused too; `repeated` is that key.
WEFT_API std::optional<Node> parse_json(std::string_view text,
                                        std::optional<std::string>& repeated);

// The number of values in the node, itself included.
std::size_t count_values(const Node& node);

}  // namespace weft
