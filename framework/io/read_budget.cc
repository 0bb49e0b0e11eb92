#include "framework/io/read_budget.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kAllowance = 192 * kMiB;
constexpr std::uint64_t kMost = 384 * kMiB;
constexpr std::uint64_t kForEachByte = 256;
constexpr std::uint64_t kOfLargeFile = 2;
constexpr const char* kVariable = "WEFT_READ_MIB";

// The limit that the environment sets, in bytes; 0 where it sets none.
std::uint64_t limit_of_user() {
  const char* const set = std::getenv(kVariable);
  if (set == nullptr || *set == '\0') return 0;
  const std::string_view text = set;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{} is '{}', not a number of MiB from 1 to 4294967295", kVariable, text));
  }
  return number * kMiB;
}

// Small files may take a fixed amount and many times their size; from some size on the factor falls
// to two, which a file that lies on the disk in earnest does not exceed.
std::uint64_t limit_for(std::uint64_t file_bytes) {
  if (const std::uint64_t given = limit_of_user(); given > 0) return given;
  if (file_bytes < (kMost - kAllowance) / kForEachByte) {
    return kAllowance + kForEachByte * file_bytes;
  }
  // The words of a large corpus need memory as it grows; nobody is surprised by such a file.
  return std::max(kMost, kOfLargeFile * std::min(file_bytes, ~std::uint64_t{0} / kOfLargeFile));
}

}  // namespace

std::uint64_t size_of_file(const std::string& file) {
  std::error_code unknown;
  const auto size = std::filesystem::file_size(file, unknown);
  return unknown ? 0 : size;
}

ReadBudget::ReadBudget(const std::string& file) : ReadBudget(file, size_of_file(file)) {}

ReadBudget::ReadBudget(std::string file, std::uint64_t file_bytes)
    : file_(std::move(file)), limit_(limit_for(file_bytes)) {}

void ReadBudget::charge(std::uint64_t bytes, const char* what) {
  // Written as a subtraction, since `used_ + bytes` could overflow with a length from the file.
  if (bytes <= limit_ - std::min(used_, limit_)) {
    used_ += bytes;
    return;
  }
  throw Error(ErrorKind::data,
              fmt::format("{} would take more memory than the {} MiB that reading a file of this "
                          "size may take; {}=MIB in the environment sets another limit",
                          what, limit_ / kMiB, kVariable),
              Origin::file(std::make_shared<const std::string>(file_), 0, 0));
}

}  // namespace weft
