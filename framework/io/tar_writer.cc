#include "framework/io/tar_writer.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "registry/base/error.h"
#include "registry/base/input_file.h"

namespace weft {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kNameBytes = 100, kPrefixBytes = 155;
constexpr std::uint64_t kTooLarge = std::uint64_t{1} << 33;  // eleven octal digits
constexpr std::size_t kPieceBytes = std::size_t{64} << 10;

void put(std::array<char, kBlock>& block, std::size_t at, std::string_view text) {
  std::copy(text.begin(), text.end(), block.begin() + static_cast<std::ptrdiff_t>(at));
}

// Where a long name is cut in two, at a '/'; 0 for a short one.
std::size_t cut_of(const std::string& name) {
  if (name.size() <= kNameBytes) return 0;
  const std::size_t cut = name.find('/', name.size() - kNameBytes - 1);
  if (cut == std::string::npos || cut == 0 || cut > kPrefixBytes) {
    throw Error(ErrorKind::data, fmt::format("the name {} is too long for a tar archive", name));
  }
  return cut;
}

}  // namespace

void TarWriter::add_header(const std::string& name, std::uint64_t size) {
  if (size >= kTooLarge) {
    throw Error(ErrorKind::data,
                fmt::format("{} has 8 GiB or more, too many for a tar archive", name));
  }
  std::array<char, kBlock> block = {};
  const std::size_t cut = cut_of(name);
  put(block, 0, std::string_view(name).substr(cut == 0 ? 0 : cut + 1));
  put(block, 345, std::string_view(name).substr(0, cut));
  put(block, 100, "0000644");
  put(block, 108, "0000000");
  put(block, 116, "0000000");
  put(block, 124, fmt::format("{:011o}", size));
  put(block, 136, "00000000000");
  // The checksum is the sum of all bytes of the header, its own field taken as blanks.
  put(block, 148, "        ");
  block[156] = '0';
  put(block, 257, std::string_view("ustar\00000", 8));
  unsigned sum = 0;
  for (const char byte : block) sum += static_cast<unsigned char>(byte);
  put(block, 148, fmt::format("{:06o}", sum));
  block[154] = 0;
  out_.write(block.data(), block.size());
}

void TarWriter::pad(std::uint64_t size) {
  constexpr std::array<char, kBlock> kZeros = {};
  out_.write(kZeros.data(), static_cast<std::streamsize>((kBlock - size % kBlock) % kBlock));
}

void TarWriter::add(const std::string& name, std::string_view bytes) {
  add_header(name, bytes.size());
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  pad(bytes.size());
}

void TarWriter::add_file(const std::string& name, const std::filesystem::path& file) {
  InputFile in(file);
  add_header(name, in.size());
  std::string piece(kPieceBytes, '\0');
  std::uint64_t left = in.size();
  while (left > 0) {
    const std::size_t got = in.read(piece.data(), std::min<std::uint64_t>(piece.size(), left));
    if (got == 0) throw Error(ErrorKind::system, fmt::format("{} became shorter", file.string()));
    out_.write(piece.data(), static_cast<std::streamsize>(got));
    left -= got;
  }
  pad(in.size());
}

void TarWriter::finish() {
  constexpr std::array<char, 2 * kBlock> kEnd = {};
  out_.write(kEnd.data(), kEnd.size());
}

}  // namespace weft
