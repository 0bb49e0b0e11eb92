#include "framework/io/random_letters.h"

#include <cerrno>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <sys/random.h>

#include "registry/base/error.h"

namespace weft {

std::string random_letters(std::string_view alphabet, std::size_t length) {
  std::vector<unsigned char> bytes(length);
  ssize_t got;
  do got = ::getrandom(bytes.data(), bytes.size(), 0);
  while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(bytes.size())) {
    throw Error(ErrorKind::system,
                fmt::format("the system gives no random numbers: {}", std::strerror(errno)));
  }
  std::string letters;
  for (const unsigned char byte : bytes) letters += alphabet[byte % alphabet.size()];
  return letters;
}

}  // namespace weft
