#include "framework/text/vector_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "framework/io/read_budget.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"
#include "registry/value/number.h"

namespace weft {
namespace {

constexpr std::size_t kFloretFields = 8;
constexpr std::uint64_t kWordBytes = 64;  // of a word's own place in memory, with its key

// Of valid UTF-8, like `split`.
std::string_view rstrip(std::string_view text) {
  while (!text.empty()) {
    std::size_t start = text.size();
    if (!is_space(previous_code_point(text, start))) break;
    text = text.substr(0, start);
  }
  return text;
}

// The words between white space.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t start = pos;
    if (!is_space(next_code_point(text, pos))) continue;
    if (start > begin) words.push_back(text.substr(begin, start - begin));
    begin = pos;
  }
  if (begin < text.size()) words.push_back(text.substr(begin));
  return words;
}

template <class T>
bool parse_whole(std::string_view text, T& number) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// As NumPy reads it: a double that is rounded to 32 bits. False for what is no finite number.
bool parse_float(std::string_view text, float& number) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty()) return false;
  // Too close to 0, or too large.
  if (error == std::errc::result_out_of_range)
    value = double_of(std::string(text));
  else if (error != std::errc())
    return false;
  number = static_cast<float>(value);
  return std::isfinite(value) && std::abs(value) <= std::numeric_limits<float>::max();
}

class Reader {
 public:
  Reader(const std::string& file, const VectorTextOptions& options)
      : name_(std::make_shared<const std::string>(file)),
        options_(options),
        lines_(open_vector_lines(file)),
        budget_(file) {}

  VectorText read() {
    std::string line;
    if (!lines_.next(line)) fail("the file is empty");
    check_utf8(line);
    if (rstrip(line).empty()) fail_blank();
    const bool has_header = read_header(line);
    if (options_.floret && !has_header) {
      fail(
          "is no header of floret vectors: rows, width, minn, maxn, hash count, hash seed, begin "
          "and end of a word");
    }
    if (width_ < 1 || width_ > kMostVectorWidth) {
      fail(fmt::format("vectors of {} numbers; 1 to {} can be read", width_, kMostVectorWidth));
    }
    if (!has_header) add(line);
    while (!is_full() && lines_.next(line)) add(line);
    return finish();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(
        ErrorKind::data, what,
        Origin::file(name_, static_cast<int>(std::max<std::int64_t>(lines_.number(), 1)), 1));
  }

  void check_utf8(std::string_view line) const {
    if (const auto at = find_invalid_utf8(line)) {
      fail(fmt::format("the line is not valid UTF-8 (byte {})", *at + 1));
    }
  }

  std::int64_t count() const { return static_cast<std::int64_t>(result_.words.size()); }
  bool is_full() const { return options_.truncate > 0 && count() >= options_.truncate; }

  // A header is two whole numbers and nothing else, or the eight fields of floret. Any other first
  // line is a row, which says how wide the others are.
  bool read_header(std::string_view line) {
    const auto fields = split(line);
    std::int64_t rows = 0;
    const std::size_t expected = options_.floret ? kFloretFields : 2;
    if (fields.size() == expected && parse_whole(fields[0], rows) &&
        parse_whole(fields[1], width_)) {
      if (rows < 0) fail(fmt::format("{} rows", rows));
      announced_ = rows;
      if (options_.floret) read_floret(fields);
      return true;
    }
    const auto is_digits = [](std::string_view field) {
      return field.find_first_not_of("0123456789") == field.npos;
    };
    if (!options_.floret && fields.size() == 2 && is_digits(fields[0]) && is_digits(fields[1])) {
      fail("a header of numbers that are too large");
    }
    width_ = std::max(static_cast<std::int64_t>(fields.size()) - 1, numbers_at_end(line));
    return false;
  }

  // Of a row: more than its fields behind the first where the word itself is white space.
  static std::int64_t numbers_at_end(std::string_view line) {
    std::int64_t count = 0;
    float number = 0.0F;
    line = rstrip(line);
    for (std::size_t blank; (blank = line.rfind(' ')) != line.npos; ++count) {
      if (!parse_float(line.substr(blank + 1), number)) break;
      line = line.substr(0, blank);
    }
    return count;
  }

  void read_floret(const std::vector<std::string_view>& fields) {
    FloretSettings settings;
    if (!parse_whole(fields[2], settings.min_ngram) ||
        !parse_whole(fields[3], settings.max_ngram) ||
        !parse_whole(fields[4], settings.hash_count) ||
        !parse_whole(fields[5], settings.hash_seed)) {
      fail("minn, maxn, hash count and hash seed are whole numbers of 32 bits");
    }
    settings.begin = fields[6];
    settings.end = fields[7];
    result_.floret = settings;
  }

  void add(std::string_view line) {
    check_utf8(line);
    if (announced_ && options_.truncate == 0 && count() >= *announced_) {
      fail(fmt::format("the header says {} rows, and here is one more", *announced_));
    }
    line = rstrip(line);
    if (line.empty()) fail_blank();
    budget_.charge(static_cast<std::uint64_t>(width_) * sizeof(float), "the vectors");
    numbers_.resize(numbers_.size() + static_cast<std::size_t>(width_));
    float* const row = numbers_.data() + numbers_.size() - width_;
    for (std::int64_t i = width_; i-- > 0;) {
      const std::size_t blank = line.rfind(' ');
      if (blank == std::string_view::npos) fail_short(width_ - i - 1);
      if (!parse_float(line.substr(blank + 1), row[i])) {
        fail(fmt::format("'{}' is no number; a line is a word and {} numbers, with a blank between",
                         line.substr(blank + 1, 40), width_));
      }
      line = line.substr(0, blank);
    }
    budget_.charge(line.size() + kWordBytes, "the words of the vectors");
    result_.words.emplace_back(line);
    if (count() > std::numeric_limits<std::int32_t>::max()) fail("more than 2147483647 rows");
  }

  [[noreturn]] void fail_blank() const {
    fail("the line is blank; a line is a word and its numbers, with a blank between");
  }

  [[noreturn]] void fail_short(std::int64_t found) const {
    fail(fmt::format("a word and {} numbers; the others have {}", found, width_));
  }

  VectorText finish() {
    if (announced_.value_or(0) > 0 && count() == 0) {
      fail(fmt::format("the header says {} rows, and none follows", *announced_));
    }
    if (options_.floret && count() != announced_.value_or(0)) {
      fail(fmt::format("the header says {} rows, and the file has {}", announced_.value_or(0),
                       count()));
    }
    result_.announced = options_.truncate > 0 ? options_.truncate : announced_.value_or(count());
    result_.table = Tensor::zeros({count(), width_});
    std::copy(numbers_.begin(), numbers_.end(), result_.table.data<float>());
    return std::move(result_);
  }

  std::shared_ptr<const std::string> name_;
  VectorTextOptions options_;
  InputLines lines_;
  ReadBudget budget_;
  std::int64_t width_ = 0;
  std::optional<std::int64_t> announced_;  // nothing: the file has no header
  std::vector<float> numbers_;
  VectorText result_;
};

}  // namespace

VectorText read_vector_text(const std::string& file, const VectorTextOptions& options) {
  if (options.floret && options.truncate > 0) {
    throw Error(ErrorKind::usage,
                "floret vectors cannot be truncated: every row is part of many words");
  }
  return Reader(file, options).read();
}

}  // namespace weft
