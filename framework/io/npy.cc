#include "framework/io/npy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/file_limits.h"
#include "framework/io/read_budget.h"
#include "framework/io/zip_archive.h"
#include "framework/tensor/rounding.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;

struct Header {
  std::int64_t rows = 0, columns = 0;
  bool by_columns = false;
  std::size_t bytes = sizeof(float);  // of an element
  bool big_endian = false;
};

// Which elements a reader takes: 32-bit floats of this machine's order, or floats of any kind,
// which it turns into those.
enum class Elements { f32, any_floats };

// A 16-, 32- or 64-bit float of little-endian bytes.
float float_of(const char* bytes, std::size_t size) {
  const auto as = [bytes]<class Number>(Number number) {
    std::memcpy(&number, bytes, sizeof number);
    return number;
  };
  if (size == sizeof(std::uint16_t)) return f32_from_f16(as(std::uint16_t()));
  return size == sizeof(float) ? as(float()) : static_cast<float>(as(double()));
}

class NpyReader {
 public:
  // `read` gives the next bytes, at most as many as it is asked for, of `size` together.
  using Read = std::function<std::size_t(char* to, std::size_t size)>;
  NpyReader(std::string name, Read read, std::uint64_t size, Elements elements)
      : name_(std::move(name)), read_(std::move(read)), left_(size), elements_(elements) {}

  Tensor read() {
    const Header header = read_header();
    check_shape(header);
    check_size(header);
    Tensor matrix = read_floats(header);
    return header.by_columns ? transposed(matrix) : matrix;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::data, fmt::format("{}: {}", name_, what));
  }

  void fill(char* to, std::size_t size) {
    for (std::size_t got = 0; size > 0; to += got, size -= got) {
      got = read_(to, size);
      if (got == 0) fail("the file is cut off");
    }
  }

  std::string take(std::size_t size) {
    if (size > left_) fail("the file is cut off");
    std::string bytes(size, '\0');
    fill(bytes.data(), size);
    left_ -= size;
    return bytes;
  }

  std::size_t take_length(int bytes) {
    const std::string little_endian = take(static_cast<std::size_t>(bytes));
    std::size_t length = 0;
    for (int i = bytes; i-- > 0;) {
      length = length << 8 | static_cast<unsigned char>(little_endian[static_cast<std::size_t>(i)]);
    }
    return length;
  }

  // The file: a magic number, a version of two bytes, the length of the header (2 bytes in version
  // 1, else 4), a Python dict as text, and the numbers.
  Header read_header() {
    if (left_ < kMagic.size() || take(kMagic.size()) != kMagic) fail("is no NumPy array");
    const std::string version = take(2);
    if (version[0] < 1 || version[0] > 3) fail("is of an unknown version of NumPy's format");
    const std::string text = take(take_length(version[0] == 1 ? 2 : 4));
    Header header;
    read_element(value_of(text, "descr").substr(0, 5), header);
    header.by_columns = value_of(text, "fortran_order").substr(0, 4) == "True";
    read_shape(value_of(text, "shape"), header);
    return header;
  }

  // `type`: "'<f8'" says a little-endian float of eight bytes.
  void read_element(std::string_view type, Header& header) const {
    if (type == "'<f4'") return;
    const bool is_known =
        type.size() == 5 && (type[1] == '<' || type[1] == '>') &&
        (type.substr(2) == "f2'" || type.substr(2) == "f4'" || type.substr(2) == "f8'");
    if (elements_ == Elements::f32) {
      fail("is no array of 32-bit floats ('<f4'); NumPy's .astype(\"float32\") makes one");
    }
    if (!is_known) fail("is no array of floats of 16, 32 or 64 bits ('<f2', '<f4', '<f8')");
    header.big_endian = type[1] == '>';
    header.bytes = static_cast<std::size_t>(type[3] - '0');
  }

  // The text after `'key':` in the header, which is a Python dict.
  std::string_view value_of(std::string_view text, std::string_view key) const {
    const std::string quoted = fmt::format("'{}':", key);
    const std::size_t at = text.find(quoted);
    if (at == std::string_view::npos) fail(fmt::format("its header has no {}", key));
    text.remove_prefix(at + quoted.size());
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    return text;
  }

  void read_shape(std::string_view text, Header& header) const {
    const std::size_t comma = text.find(',');
    const std::size_t end = text.find(')');
    if (text.empty() || text[0] != '(' || comma >= end || end == std::string_view::npos ||
        !parse(text.substr(1, comma - 1), header.rows) ||
        !parse(text.substr(comma + 1, end - comma - 1), header.columns)) {
      fail("is no matrix");
    }
  }

  static bool parse(std::string_view text, std::int64_t& number) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number >= 0;
  }

  // A matrix without elements needs no bytes, so that its shape could name any number of rows or
  // columns, over which loops would go.
  void check_shape(const Header& header) const {
    if (header.rows > std::numeric_limits<std::int32_t>::max()) fail("more than 2147483647 rows");
    const std::int64_t least = header.rows > 0 ? 1 : 0;
    if (header.columns < least || header.columns > kMostVectorWidth) {
      fail(fmt::format("vectors of {} numbers; 1 to {} can be read", header.columns,
                       kMostVectorWidth));
    }
  }

  // The shape is compared with the bytes that are there before anything is allocated; the division
  // keeps the multiplication from overflowing.
  void check_size(const Header& header) const {
    const std::uint64_t floats = left_ / header.bytes;
    const auto rows = static_cast<std::uint64_t>(header.rows);
    const auto columns = static_cast<std::uint64_t>(header.columns);
    const bool fits = columns == 0 || rows <= floats / columns;
    if (!fits || rows * columns * header.bytes != left_) {
      fail(fmt::format("holds {} bytes where its shape ({}, {}) needs another number", left_, rows,
                       columns));
    }
  }

  // The elements as they lie in the file.
  Tensor read_floats(const Header& header) {
    Tensor matrix = header.by_columns ? Tensor::zeros({header.columns, header.rows})
                                      : Tensor::zeros({header.rows, header.columns});
    if (matrix.size() == 0) return matrix;
    auto* numbers = matrix.data<float>();
    if (header.bytes == sizeof(float) && !header.big_endian) {
      fill(reinterpret_cast<char*>(numbers), left_);
    } else {
      fill_converted(header, std::span(numbers, static_cast<std::size_t>(matrix.size())));
    }
    if (!std::all_of(numbers, numbers + matrix.size(), [](float x) { return std::isfinite(x); })) {
      fail("holds a NaN or an infinity");
    }
    return matrix;
  }

  void fill_converted(const Header& header, std::span<float> numbers) {
    constexpr std::size_t kAtOnce = 4096;
    std::vector<char> bytes(kAtOnce * header.bytes);
    for (std::size_t done = 0; done < numbers.size(); done += kAtOnce) {
      const auto part = numbers.subspan(done, std::min(kAtOnce, numbers.size() - done));
      fill(bytes.data(), part.size() * header.bytes);
      for (std::size_t i = 0; i < part.size(); ++i) {
        char* element = bytes.data() + i * header.bytes;
        if (header.big_endian) std::reverse(element, element + header.bytes);
        part[i] = float_of(element, header.bytes);
      }
    }
  }

  // NumPy writes arrays column by column where they lie so in memory, as a transposed view does.
  static Tensor transposed(const Tensor& from) {
    Tensor to = Tensor::zeros({from.dim(1), from.dim(0)});
    const auto* read = from.data<float>();
    auto* written = to.data<float>();
    for (std::int64_t i = 0; i < from.dim(0); ++i) {
      for (std::int64_t j = 0; j < from.dim(1); ++j) {
        written[j * from.dim(0) + i] = read[i * from.dim(1) + j];
      }
    }
    return to;
  }

  std::string name_;
  Read read_;
  std::uint64_t left_;
  Elements elements_;
};

Tensor read_plain(const fs::path& file, Elements elements) {
  InputFile in(file);
  in.refuse_more_than(kMostArrayBytes);
  const auto read = [&in](char* to, std::size_t size) { return in.read(to, size); };
  return NpyReader(file.string(), read, in.size(), elements).read();
}

}  // namespace

Tensor read_npy_matrix(const fs::path& file) {
  return read_plain(file, Elements::f32);
}

Tensor read_npz_matrix(const fs::path& file) {
  const std::string name = file.string();
  const InputFile in(file);
  std::array<char, 2> start = {};
  if (in.read_at(start.data(), start.size(), 0) < 2 || start[0] != 'P' || start[1] != 'K') {
    return read_plain(file, Elements::any_floats);
  }
  for (const ZipEntry& entry : read_zip_directory(in, name)) {
    if (!entry.name.ends_with(".npy")) continue;
    ReadBudget(name).charge(entry.size, "an array");
    const auto member = open_zip_member(in, name, entry);
    const auto read = [&](char* to, std::size_t size) { return member->read(to, size); };
    return NpyReader(fmt::format("{}: {}", name, entry.name), read, entry.size,
                     Elements::any_floats)
        .read();
  }
  throw Error(ErrorKind::data, fmt::format("{} holds no NumPy array", name));
}

// Blanks fill the header up to a multiple of 64 bytes, so that the numbers are aligned when the
// file is mapped into memory.
std::string npy_header(std::int64_t rows, std::int64_t columns) {
  constexpr std::size_t kFixed = kMagic.size() + 4;  // version and length
  constexpr std::size_t kLeast = 128;                // NumPy leaves room for the shape to grow
  std::string text =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
  const std::size_t needed = kFixed + text.size() + 1;
  const std::size_t size = std::max(kLeast, (needed + kAlignment - 1) / kAlignment * kAlignment);
  text.resize(size - kFixed - 1, ' ');
  text += '\n';
  std::string header(kMagic);
  header += {'\x01', '\x00', static_cast<char>(text.size()), static_cast<char>(text.size() >> 8)};
  return header + text;
}

void write_npy_matrix(const fs::path& file, const Tensor& matrix) {
  const bool none = matrix.shape().rank() != 2;
  AtomicFile target(file);
  target.stream() << (none ? npy_header(0, 0) : npy_header(matrix.dim(0), matrix.dim(1)));
  if (matrix.size() > 0) {
    target.stream().write(reinterpret_cast<const char*>(matrix.data<float>()),
                          static_cast<std::streamsize>(matrix.bytes()));
  }
  target.commit();
}

}  // namespace weft
