#include "framework/io/temporary_name.h"

#include <fmt/format.h>
#include <limits.h>

#include "framework/io/random_letters.h"

namespace weft {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz234567";  // five bits each
constexpr std::size_t kRandomLetters = 16;

std::string_view mark_of(TemporaryKind kind) {
  return kind == TemporaryKind::fresh ? ".new-" : ".old-";
}

bool is_ending(std::string_view text) {
  const bool is_number = !text.empty() && text.find_first_not_of(kDigits) == text.npos;
  return is_number ||
         (text.size() == kRandomLetters && text.find_first_not_of(kLetters) == text.npos);
}

// As much of the name of a new file as leaves room for the rest; whole characters of UTF-8.
std::string_view shortened(std::string_view name, std::size_t room) {
  if (name.size() <= room) return name;
  while (room > 0 && (static_cast<unsigned char>(name[room]) & 0xc0) == 0x80) --room;
  return name.substr(0, room);
}

}  // namespace

std::string temporary_name(std::string_view name, TemporaryKind kind) {
  const std::string_view mark = mark_of(kind);
  // An old version gets its name back, so that one is kept whole.
  if (kind == TemporaryKind::fresh) {
    name = shortened(name, NAME_MAX - 1 - mark.size() - kRandomLetters);
  }
  return fmt::format(".{}{}{}", name, mark, random_letters(kLetters, kRandomLetters));
}

std::optional<TemporaryName> parse_temporary_name(std::string_view name) {
  for (const TemporaryKind kind : {TemporaryKind::fresh, TemporaryKind::old}) {
    const std::string_view mark = mark_of(kind);
    const std::size_t at = name.rfind(mark);
    if (!name.starts_with('.') || at == name.npos || at <= 1) continue;
    if (is_ending(name.substr(at + mark.size()))) {
      return TemporaryName{std::string(name.substr(1, at - 1)), kind};
    }
  }
  return std::nullopt;
}

}  // namespace weft
