// The outer map of a `.spacy` file: what is held in memory, and where the long arrays begin.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/io/inflate_cursor.h"
#include "framework/text/doc_bin.h"
#include "framework/text/string_store.h"
#include "framework/text/token_rows.h"

namespace weft {

// A place in the inflated file from which an array is read, document by document.
struct DocBinArray {
  std::unique_ptr<InflateCursor> cursor;  // null where the file has no such key
  std::uint64_t size = 0;                 // bytes, or elements
};

struct DocBinReader::Contents {
  // Reads the whole file once. Throws as the constructor of DocBinReader.
  Contents(const std::string& path);

  std::string version;
  std::vector<std::string> keys;
  std::vector<std::uint32_t> attrs;
  std::vector<std::int32_t> lengths;
  std::shared_ptr<const StringTable> strings;
  DocBinArray tokens;
  std::optional<TokenRows> rows;  // all of `tokens`, where they fit its bounds
  DocBinArray spaces;
  DocBinArray cats;
  DocBinArray flags;
  DocBinArray span_groups;
  DocBinArray user_data;
  std::uint64_t token_count = 0;

 private:
  class Builder;
};

}  // namespace weft
