#include "registry/base/error.h"

#include <utility>

namespace weft {
namespace {

std::string joined(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += '\n';
    text += problem.str();
  }
  return text;
}

std::string with_place(const std::string& message, const Origin& place) {
  const std::string where = place.str();
  return where.empty() ? message : where + "  " + message;
}

// `what` gives a text that ends with its first zero byte, which data may hold.
std::string without_zeros(std::string text) {
  for (std::size_t at = 0; (at = text.find('\0', at)) != text.npos;) text.replace(at, 1, "\\u{0}");
  return text;
}

}  // namespace

Error::Error(ErrorKind kind, const std::string& message, Origin place)
    : std::runtime_error(without_zeros(with_place(message, place))),
      kind_(kind),
      message_(message),
      place_(std::move(place)) {}

Error::Error(ErrorKind kind, std::vector<Problem> problems)
    : std::runtime_error(without_zeros(joined(problems))),
      kind_(kind),
      problems_(std::move(problems)) {
  if (!problems_.empty()) place_ = problems_.front().place;
}

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
    case ErrorKind::config:
    case ErrorKind::plugin:
      return 2;
    case ErrorKind::data:
      return 3;
    case ErrorKind::diverged:
      return 4;
    case ErrorKind::memory:
      return 5;
    case ErrorKind::device:
    case ErrorKind::system:
    case ErrorKind::internal:
      return 1;
  }
  return 1;
}

}  // namespace weft
