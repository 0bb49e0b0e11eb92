#include "framework/io/zip_archive.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <zlib.h>

#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::size_t kEndBytes = 22;  // the record at the end, without its comment
constexpr std::size_t kMostComment = 0xFFFF;
constexpr std::size_t kLocatorBytes = 20;  // points to the 64-bit record at the end
constexpr std::size_t kEnd64Bytes = 56;
constexpr std::size_t kEntryBytes = 46;  // of a directory entry, without its name
constexpr std::size_t kLocalBytes = 30;
constexpr std::uint64_t kMostEntries = 65536;
constexpr std::uint64_t kMostDirectory = std::uint64_t{64} << 20;
constexpr std::size_t kPieceBytes = std::size_t{64} << 10;
constexpr std::uint32_t kAll32 = 0xFFFFFFFF;  // the number stands in the 64-bit fields
constexpr std::uint16_t kEncrypted = 1;

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::data, fmt::format("{}: {}", name, what));
}

// Little-endian numbers of a record.
// The caller has checked that the record is long enough.
std::uint64_t number(std::string_view bytes, std::size_t at, int width) {
  std::uint64_t value = 0;
  for (int i = width; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  }
  return value;
}

std::string bytes_at(const InputFile& file, const std::string& name, std::uint64_t offset,
                     std::uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) fail(name, "the archive is cut off");
  std::string bytes(size, '\0');
  for (std::size_t done = 0; done < size;) {
    const std::size_t got = file.read_at(bytes.data() + done, size - done, offset + done);
    if (got == 0) fail(name, "the archive is cut off");
    done += got;
  }
  return bytes;
}

struct Directory {
  std::uint64_t entries = 0, size = 0, offset = 0;
};

// The record at the end has room for 32 bits; a larger archive has another one before it.
Directory find_directory(const InputFile& file, const std::string& name) {
  // The directory stands at the end of the archive, and the record that points to it is followed by
  // a comment of up to 64 KiB: it is looked for from behind.
  const std::uint64_t tail_size = std::min<std::uint64_t>(file.size(), kEndBytes + kMostComment);
  const std::uint64_t tail_at = file.size() - tail_size;
  const std::string tail = bytes_at(file, name, tail_at, tail_size);
  const std::size_t end = tail.rfind("PK\x05\x06");
  if (end == std::string::npos || tail.size() - end < kEndBytes) fail(name, "is no zip archive");
  Directory found{number(tail, end + 10, 2), number(tail, end + 12, 4), number(tail, end + 16, 4)};
  if (number(tail, end + 4, 2) != 0) fail(name, "has parts in other files");
  const std::uint64_t end_at = tail_at + end;
  if (found.entries != 0xFFFF && found.size != kAll32 && found.offset != kAll32) return found;
  if (end_at < kLocatorBytes) return found;
  const std::string locator = bytes_at(file, name, end_at - kLocatorBytes, kLocatorBytes);
  if (!locator.starts_with("PK\x06\x07")) return found;
  const std::string end64 = bytes_at(file, name, number(locator, 8, 8), kEnd64Bytes);
  if (!end64.starts_with("PK\x06\x06")) fail(name, "its directory is damaged");
  return {number(end64, 32, 8), number(end64, 40, 8), number(end64, 48, 8)};
}

// Replaces numbers that did not fit by those of the extra field 1, where they stand one after the
// other.
void take_64_bits(std::string_view extra, ZipEntry& entry) {
  while (extra.size() >= 4) {
    const std::uint64_t id = number(extra, 0, 2);
    const std::uint64_t size = std::min<std::uint64_t>(number(extra, 2, 2), extra.size() - 4);
    std::string_view field = extra.substr(4, size);
    extra.remove_prefix(4 + size);
    if (id != 1) continue;
    for (std::uint64_t* value : {&entry.size, &entry.packed, &entry.offset}) {
      if (*value != kAll32 || field.size() < 8) continue;
      *value = number(field, 0, 8);
      field.remove_prefix(8);
    }
  }
}

class Member final : public Decompressor {
 public:
  Member(const InputFile& file, std::string name, const ZipEntry& entry, std::uint64_t at)
      : file_(file), name_(std::move(name)), entry_(entry), at_(at), left_(entry.packed) {
    if (entry_.method == Z_DEFLATED && inflateInit2(&state_, -MAX_WBITS) != Z_OK) {
      throw Error(ErrorKind::memory, "no memory to inflate");
    }
  }
  ~Member() override {
    if (entry_.method == Z_DEFLATED) inflateEnd(&state_);
  }
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  std::size_t read(char* to, std::size_t size) override {
    size = std::min<std::size_t>(size, std::size_t{1} << 30);
    const std::size_t got = size == 0 ? 0 : take(to, size);
    crc_ = crc32(crc_, reinterpret_cast<const Bytef*>(to), static_cast<uInt>(got));
    // Size and checksum are known only when everything has been read; a member that grows beyond
    // the directory's size is refused on the way, since memory was reckoned by that size.
    done_ += got;
    if (done_ > entry_.size) damaged("holds more than its directory says");
    if (got == 0 && size > 0 && (done_ != entry_.size || crc_ != entry_.crc)) {
      damaged("is damaged or cut off");
    }
    return got;
  }

 private:
  [[noreturn]] void damaged(const char* what) const {
    fail(name_, fmt::format("the member {} {}", entry_.name, what));
  }

  std::size_t next_packed(char* to, std::size_t size) {
    const std::size_t got = file_.read_at(to, std::min<std::uint64_t>(size, left_), at_);
    at_ += got;
    left_ -= got;
    return got;
  }

  std::size_t take(char* to, std::size_t size) {
    if (entry_.method != Z_DEFLATED) return next_packed(to, size);
    state_.next_out = reinterpret_cast<Bytef*>(to);
    state_.avail_out = static_cast<uInt>(size);
    while (state_.avail_out == size && !ended_) inflate_piece();
    return size - state_.avail_out;
  }

  void inflate_piece() {
    if (state_.avail_in == 0) {
      state_.next_in = reinterpret_cast<Bytef*>(piece_.data());
      state_.avail_in = static_cast<uInt>(next_packed(piece_.data(), piece_.size()));
      if (state_.avail_in == 0) damaged("is damaged or cut off");
    }
    const int result = inflate(&state_, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END) damaged("is damaged or cut off");
    ended_ = result == Z_STREAM_END;
  }

  const InputFile& file_;
  std::string name_;
  ZipEntry entry_;
  std::uint64_t at_, left_;
  std::uint64_t done_ = 0;
  uLong crc_ = crc32(0, nullptr, 0);
  bool ended_ = false;
  z_stream state_ = {};
  std::array<char, kPieceBytes> piece_;
};

}  // namespace

std::vector<ZipEntry> read_zip_directory(const InputFile& file, const std::string& name) {
  const Directory directory = find_directory(file, name);
  if (directory.entries > kMostEntries) {
    fail(name, fmt::format("has {} members, more than {}", directory.entries, kMostEntries));
  }
  if (directory.size > kMostDirectory) {
    fail(name, fmt::format("has a directory of more than {} MiB", kMostDirectory >> 20));
  }
  const std::string bytes = bytes_at(file, name, directory.offset, directory.size);
  std::vector<ZipEntry> entries;
  std::string_view rest = bytes;
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    if (rest.size() < kEntryBytes || !rest.starts_with("PK\x01\x02")) {
      fail(name, "its directory is damaged");
    }
    const std::size_t name_size = number(rest, 28, 2), extra = number(rest, 30, 2);
    const std::size_t all = kEntryBytes + name_size + extra + number(rest, 32, 2);
    if (all > rest.size()) fail(name, "its directory is damaged");
    ZipEntry entry{.name = std::string(rest.substr(kEntryBytes, name_size)),
                   .packed = number(rest, 20, 4),
                   .size = number(rest, 24, 4),
                   .offset = number(rest, 42, 4),
                   .crc = static_cast<std::uint32_t>(number(rest, 16, 4)),
                   .method = static_cast<std::uint16_t>(number(rest, 10, 2))};
    take_64_bits(rest.substr(kEntryBytes + name_size, extra), entry);
    entries.push_back(std::move(entry));
    rest.remove_prefix(all);
  }
  return entries;
}

std::unique_ptr<Decompressor> open_zip_member(const InputFile& file, const std::string& name,
                                              const ZipEntry& entry) {
  const std::string local = bytes_at(file, name, entry.offset, kLocalBytes);
  if (!local.starts_with("PK\x03\x04")) fail(name, "its directory is damaged");
  if ((number(local, 6, 2) & kEncrypted) != 0) {
    fail(name, fmt::format("the member {} is encrypted", entry.name));
  }
  if (entry.method != 0 && entry.method != Z_DEFLATED) {
    fail(name, fmt::format("the member {} is packed in a way that is not read (method {}); deflate "
                           "it",
                           entry.name, entry.method));
  }
  // The header before the data repeats the name and has extra fields of its own, whose sizes may
  // differ from those of the directory.
  const std::uint64_t at = entry.offset + kLocalBytes + number(local, 26, 2) + number(local, 28, 2);
  return std::make_unique<Member>(file, name, entry, at);
}

}  // namespace weft
