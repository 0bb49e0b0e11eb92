// The outer map of a `.spacy` file: what is held in memory, and where the long arrays begin.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/io/inflate_cursor.h"
#include "framework/io/read_budget.h"
#include "framework/text/doc_bin.h"
#include "framework/text/string_store.h"
#include "framework/text/token_rows.h"

namespace weft {

// Bounds of what one file may hold. Of annotated text a token takes five bytes and more in a file.
struct DocBinLimits {
  static constexpr std::size_t kColumns = 1024;
  static constexpr std::size_t kKeys = 1024;
  static constexpr std::uint64_t kDocs = std::uint64_t{1} << 20;    // and one for each byte
  static constexpr std::uint64_t kTokens = std::uint64_t{1} << 22;  // and for each byte:
  static constexpr std::uint64_t kTokensForByte = 1;
  // A pipeline takes some two kilobytes for each token of the document at hand.
  static constexpr std::uint64_t kDocTokens = 200000;  // and one for
  static constexpr std::uint64_t kBytesForDocToken = 5;

  // The tokens that a document may have, and all of them together, in a file of that size.
  static constexpr std::uint64_t most_of_doc(std::uint64_t bytes) {
    return kDocTokens + bytes / kBytesForDocToken;
  }
  static constexpr std::uint64_t most_of_all(std::uint64_t bytes) {
    return kTokens + kTokensForByte * bytes;
  }
};

// A place in the inflated file from which an array is read, document by document.
struct DocBinArray {
  std::unique_ptr<InflateCursor> cursor;  // null where the file has no such key
  std::uint64_t size = 0;                 // bytes, or elements
};

struct DocBinReader::Contents {
  // Reads the whole file once. Throws as the constructor of DocBinReader.
  explicit Contents(const std::string& path);

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
  std::size_t longest_string = 0;  // bytes
  ReadBudget budget;               // charged with the contents

 private:
  class Builder;
};

}  // namespace weft
