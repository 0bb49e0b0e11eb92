// The uncompressed bytes of a zlib file (RFC 1950), read forward. A copy goes on from where the
// original stood, so that several places of one stream can be read side by side.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "framework/io/byte_cursor.h"
#include "registry/export.h"

namespace weft {

// A file that inflates to `resident` bytes or less is inflated once; its pieces stay in memory
// until the last copy has passed them. Of a larger file each copy inflates what it reads and holds
// a quarter of a MiB. Bytes behind the zlib stream are ignored.
class WEFT_API InflateCursor final : public ByteCursor {
 public:
  static constexpr std::size_t kResident = std::size_t{128} << 20;

  // Throws Error(system) where the file cannot be read, Error(data) where it is no zlib stream.
  explicit InflateCursor(const std::string& path, std::size_t resident = kResident);
  ~InflateCursor() override;
  InflateCursor(const InflateCursor& other);
  InflateCursor& operator=(const InflateCursor& other);

  // Both also throw Error(data) where the stream is damaged or cut off.
  std::string_view take(std::uint64_t size) override;
  void skip(std::uint64_t size) override;
  bool at_end() override;
  std::uint64_t position() const override { return chunk_start_ + offset_; }

 private:
  class Inflater;
  struct Chunk;
  struct Sequence;
  // Goes to the bytes behind the present chunk; false at the end of the stream.
  bool next_chunk();
  bool inflate_chunk();
  [[noreturn]] void fail_at_end(std::uint64_t missing) const;
  std::string_view here() const;

  std::shared_ptr<Chunk> chunk_;
  std::shared_ptr<Sequence> sequence_;  // of the chunks, shared with all copies
  bool first_ = true;                   // not a copy: the one that links chunks
  std::uint64_t chunk_start_ = 0;
  std::size_t offset_ = 0;  // in the chunk
  std::unique_ptr<Inflater> rest_;
  std::string assembled_;  // what `take` gives when it spans chunks
};

}  // namespace weft
