// Opens files of word vectors: text, compressed text, or the first file in an archive.
#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "framework/io/compression.h"
#include "framework/io/file_limits.h"
#include "framework/io/zip_archive.h"
#include "framework/text/vector_text.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// The first regular file in a tar archive (POSIX ustar: a block of 512 bytes, then the file).
class TarMember final : public Decompressor {
 public:
  TarMember(InputStream archive, std::string name)
      : archive_(std::move(archive)), name_(std::move(name)) {
    while (!read_header()) skip_file();
  }

  std::size_t read(char* to, std::size_t size) override {
    if (left_ == 0) {
      read_end();
      return 0;
    }
    const std::size_t got = archive_.read(to, std::min<std::uint64_t>(size, left_));
    if (got == 0) fail("is cut off");
    left_ -= got;
    return got;
  }

 private:
  static constexpr std::size_t kBlock = 512;

  [[noreturn]] void fail(const char* what) const {
    throw Error(ErrorKind::data, fmt::format("{}: the tar archive {}", name_, what));
  }

  void fill(char* to, std::size_t size) {
    while (size > 0) {
      const std::size_t got = archive_.read(to, size);
      if (got == 0) fail("holds no file, or is cut off");
      to += got;
      size -= got;
    }
  }

  // Whether the entry is a file.
  bool read_header() {
    std::array<char, kBlock> block;
    fill(block.data(), block.size());
    if (std::string_view(block.data() + 257, 5) != "ustar") fail("is damaged");
    left_ = octal(std::string_view(block.data() + 124, 11));
    check_sum(block);
    return block[156] == '0' || block[156] == '\0';
  }

  std::uint64_t octal(std::string_view digits) const {
    std::uint64_t number = 0;
    for (const char digit : digits) {
      if (digit < '0' || digit > '7') fail("has a size that is not read");
      number = number * 8 + static_cast<std::uint64_t>(digit - '0');
    }
    return number;
  }

  // The sum of the header's bytes, in which those of the sum itself count as blanks.
  void check_sum(const std::array<char, kBlock>& block) const {
    constexpr std::size_t kPlace = 148;
    constexpr std::size_t kSize = 8;
    std::uint64_t sum = kSize * ' ';
    for (std::size_t i = 0; i < kBlock; ++i) {
      if (i < kPlace || i >= kPlace + kSize) sum += static_cast<unsigned char>(block[i]);
    }
    std::uint64_t told = 0;
    for (const char c : std::string_view(block.data() + kPlace, kSize)) {
      if (c >= '0' && c <= '7') told = told * 8 + static_cast<std::uint64_t>(c - '0');
    }
    if (told != sum) fail("is damaged");
  }

  // The blocks behind the file are read up to the checksum of data that is packed. Other files
  // there may be long, and are left unread.
  void read_end() {
    constexpr std::size_t kMostBlocks = 2048;
    std::array<char, kBlock> block;
    for (; ended_ < kMostBlocks; ++ended_) {
      if (archive_.read(block.data(), block.size()) == 0) ended_ = kMostBlocks;
    }
  }

  void skip_file() {
    std::array<char, kBlock> block;
    for (std::uint64_t blocks = (left_ + kBlock - 1) / kBlock; blocks > 0; --blocks) {
      fill(block.data(), block.size());
    }
  }

  InputStream archive_;
  std::string name_;
  std::uint64_t left_ = 0;
  std::size_t ended_ = 0;  // blocks that were read behind the file
};

InputStream open_zipped(const std::string& file) {
  auto archive = std::make_unique<InputFile>(file);
  const std::vector<ZipEntry> entries = read_zip_directory(*archive, file);
  const auto first = std::find_if(entries.begin(), entries.end(),
                                  [](const ZipEntry& entry) { return !entry.is_folder(); });
  if (first == entries.end()) {
    throw Error(ErrorKind::data, fmt::format("{}: the archive holds no file", file));
  }
  auto member = open_zip_member(*archive, file, *first);
  return {std::move(archive), std::move(member)};
}

InputStream open_stream(const std::string& file) {
  if (file.ends_with(".zip")) return open_zipped(file);
  const bool is_tgz = file.ends_with(".tgz");
  InputStream stream(file, is_tgz ? Compression::gzip : compression_of(file));
  if (!is_tgz && !uncompressed_name(file).ends_with(".tar")) return stream;
  return {nullptr, std::make_unique<TarMember>(std::move(stream), file)};
}

}  // namespace

InputLines open_vector_lines(const std::string& file) {
  return {open_stream(file), file, kLongestTextLine};
}

}  // namespace weft
