// The uncompressed bytes of a zlib file (RFC 1950), read forward. A copy goes on from where the
// original stood, so that several places of one stream can be read side by side.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "framework/io/byte_cursor.h"
#include "registry/base/export.h"

namespace weft {

// Every cursor inflates what it reads and holds a quarter of a MiB, whatever the size of the file:
// to inflate twice costs less than to fill memory once. Bytes behind the zlib stream are ignored.
class WEFT_API InflateCursor final : public ByteCursor {
 public:
  // Throws as InputFile where the file cannot be read, Error(data) where it is no zlib stream.
  explicit InflateCursor(const std::string& path);
  ~InflateCursor() override;
  // The checksum is left to the original, so that one pass checks it.
  InflateCursor(const InflateCursor& other);
  InflateCursor& operator=(const InflateCursor& other);

  // Both also throw Error(data) where the stream is damaged or cut off, and `take` for more bytes
  // than half of what a ReadBudget allows for the file: the caller makes something of them.
  std::string_view take(std::uint64_t size) override;
  void skip(std::uint64_t size) override;
  bool at_end() override;
  std::string_view at_hand() const override { return here(); }
  std::uint64_t position() const override { return chunk_start_ + offset_; }

 private:
  class Inflater;
  struct Chunk;
  // Inflates the bytes behind the present chunk; false at the end of the stream.
  bool next_chunk();
  [[noreturn]] void fail_at_end(std::uint64_t missing) const;
  std::string_view here() const;
  void assemble(std::uint64_t size);

  std::shared_ptr<Chunk> chunk_;  // shared with copies that stand in it
  std::uint64_t chunk_start_ = 0;
  std::size_t offset_ = 0;          // in the chunk
  std::unique_ptr<Inflater> rest_;  // null at the end
  std::string assembled_;           // the result of a `take` that spans chunks
  std::uint64_t file_size_ = 0;     // compressed
};

}  // namespace weft
