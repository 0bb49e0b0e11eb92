// Labelled stretches of tokens.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "framework/text/symbols.h"

namespace weft {

// Tokens [start, end). Ids are looked up with Doc::string.
struct Span {
  int start = 0;
  int end = 0;
  StringId label = 0;
  StringId kb_id = 0;
  StringId id = 0;
  bool operator==(const Span&) const = default;
};

// Spans under one key of a Doc; they may overlap, repeat and come in any order.
struct SpanGroup {
  std::string name;   // usually the key
  std::string attrs;  // a msgpack map, kept as it was read; empty = no attributes
  std::vector<Span> spans;
  bool operator==(const SpanGroup&) const = default;
};

// By key, in the order in which they were set.
using SpanGroups = std::vector<std::pair<std::string, SpanGroup>>;

}  // namespace weft
