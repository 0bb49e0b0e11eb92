#include "framework/io/zip_writer.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <zlib.h>

#include "registry/base/error.h"
#include "registry/base/input_file.h"

namespace weft {
namespace {

constexpr std::uint64_t kAll16 = 0xFFFF, kAll32 = 0xFFFFFFFF;  // the number stands elsewhere
constexpr std::uint64_t kPlain = 20, kWith64Bits = 45;         // version that a reader needs
// The sizes stand behind the data (8), names are UTF-8 (2048).
constexpr std::uint64_t kFlags = 8 + 2048;
constexpr std::uint64_t kFirstDay = 0x21;                // 1 January 1980
constexpr std::uint64_t kUnixFile = (0100644ULL << 16);  // rw-r--r--
constexpr std::uint64_t kMadeByUnix = std::uint64_t{3} << 8;
constexpr std::size_t kPieceBytes = std::size_t{64} << 10;

// Little-endian numbers, one behind the other.
class Record {
 public:
  explicit Record(std::string_view signature) : bytes_(signature) {}
  Record& put(std::uint64_t value, int width) {
    for (; width > 0; --width, value >>= 8) bytes_ += static_cast<char>(value & 0xFF);
    return *this;
  }
  Record& put(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

bool is_large(std::uint64_t number) {
  return number >= kAll32;
}
std::uint64_t in_32_bits(std::uint64_t number) {
  return std::min(number, kAll32);
}

}  // namespace

void ZipWriter::write(std::string_view bytes) {
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  offset_ += bytes.size();
}

void ZipWriter::add(const std::string& name, std::string_view bytes) {
  bool given = bytes.empty();
  add_pieces(name, bytes.size(), [&] {
    const std::string_view piece = given ? std::string_view() : bytes;
    given = true;
    return piece;
  });
}

void ZipWriter::add_file(const std::string& name, const std::filesystem::path& file) {
  InputFile in(file);
  std::string piece(kPieceBytes, '\0');
  add_pieces(name, in.size(), [&]() -> std::string_view {
    return {piece.data(), in.read(piece.data(), piece.size())};
  });
}

void ZipWriter::add_pieces(const std::string& name, std::uint64_t size, const Pieces& next) {
  if (name.size() >= kAll16) throw Error(ErrorKind::data, "a name of more than 65534 bytes");
  // The stream may not be seekable, so sizes and checksum cannot be filled in before the data. They
  // stand behind it, and the header says so and leaves them zero.
  Entry entry{.name = name, .offset = offset_};
  // Deflating may add a little: a size near the limit counts as beyond it.
  const bool large = size >= kAll32 - (size >> 8) - 1024;
  Record header("PK\x03\x04");
  header.put(large ? kWith64Bits : kPlain, 2).put(kFlags, 2).put(Z_DEFLATED, 2).put(0, 2);
  header.put(kFirstDay, 2).put(0, 4).put(large ? kAll32 : 0, 4).put(large ? kAll32 : 0, 4);
  header.put(name.size(), 2).put(large ? 20 : 0, 2).put(name);
  if (large) header.put(1, 2).put(16, 2).put(0, 8).put(0, 8);
  write(header.bytes());
  deflate_pieces(entry, next);
  const int width = large ? 8 : 4;
  write(Record("PK\x07\x08")
            .put(entry.crc, 4)
            .put(entry.packed, width)
            .put(entry.size, width)
            .bytes());
  entries_.push_back(std::move(entry));
}

void ZipWriter::deflate_pieces(Entry& entry, const Pieces& next) {
  z_stream stream = {};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw Error(ErrorKind::memory, "no memory for compressing");
  }
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, deflateEnd);
  std::string packed(kPieceBytes, '\0');
  const std::uint64_t start = offset_;
  uLong crc = crc32(0, nullptr, 0);
  for (bool last = false; !last;) {
    const std::string_view piece = next();
    last = piece.empty();
    // Without a place, zlib begins anew.
    if (!last) crc = crc32_z(crc, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
    entry.size += piece.size();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    stream.avail_in = static_cast<uInt>(piece.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(packed.data());
      stream.avail_out = static_cast<uInt>(packed.size());
      deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
      write(std::string_view(packed).substr(0, packed.size() - stream.avail_out));
    } while (stream.avail_out == 0);
  }
  entry.packed = offset_ - start;
  entry.crc = static_cast<std::uint32_t>(crc);
}

void ZipWriter::finish() {
  const std::uint64_t start = offset_;
  for (const Entry& entry : entries_) {
    Record extra("");  // the numbers that have no room in 32 bits
    for (const std::uint64_t number : {entry.size, entry.packed, entry.offset}) {
      if (is_large(number)) extra.put(number, 8);
    }
    const std::size_t more = extra.bytes().empty() ? 0 : extra.bytes().size() + 4;
    const std::uint64_t version = more > 0 ? kWith64Bits : kPlain;
    Record record("PK\x01\x02");
    record.put(kMadeByUnix + version, 2).put(version, 2).put(kFlags, 2).put(Z_DEFLATED, 2);
    record.put(0, 2).put(kFirstDay, 2).put(entry.crc, 4).put(in_32_bits(entry.packed), 4);
    record.put(in_32_bits(entry.size), 4).put(entry.name.size(), 2).put(more, 2).put(0, 6);
    record.put(kUnixFile, 4).put(in_32_bits(entry.offset), 4).put(entry.name);
    if (more > 0) record.put(1, 2).put(more - 4, 2).put(extra.bytes());
    write(record.bytes());
  }
  const std::uint64_t end = offset_, size = end - start;
  // The 64-bit record and its locator come before the old one, which all readers look for first and
  // which refers to them by numbers with all bits set.
  if (entries_.size() >= kAll16 || is_large(start) || is_large(size)) {
    Record record("PK\x06\x06");
    record.put(44, 8).put(kMadeByUnix + kWith64Bits, 2).put(kWith64Bits, 2).put(0, 8);
    record.put(entries_.size(), 8).put(entries_.size(), 8).put(size, 8).put(start, 8);
    record.put("PK\x06\x07").put(0, 4).put(end, 8).put(1, 4);
    write(record.bytes());
  }
  const std::uint64_t count = std::min<std::uint64_t>(entries_.size(), kAll16);
  write(Record("PK\x05\x06")
            .put(0, 4)
            .put(count, 2)
            .put(count, 2)
            .put(in_32_bits(size), 4)
            .put(in_32_bits(start), 4)
            .put(0, 2)
            .bytes());
}

}  // namespace weft
