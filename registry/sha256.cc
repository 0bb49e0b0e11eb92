#include "registry/sha256.h"

#include <array>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nettle/sha2.h>

#include "registry/input_file.h"

namespace weft {
namespace {

class Digest {
 public:
  Digest() { sha256_init(&state_); }

  void add(std::string_view bytes) {
    sha256_update(&state_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  }

  std::string finish() {
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest;
    sha256_digest(&state_, digest.size(), digest.data());
    return fmt::format("{:02x}", fmt::join(digest, ""));
  }

 private:
  sha256_ctx state_;
};

}  // namespace

std::string sha256(std::string_view bytes) {
  Digest digest;
  digest.add(bytes);
  return digest.finish();
}

std::string sha256_of_file(const std::filesystem::path& file) {
  InputFile input(file);
  Digest digest;
  std::vector<char> buffer(1 << 16);
  while (const std::size_t got = input.read(buffer.data(), buffer.size())) {
    digest.add({buffer.data(), got});
  }
  return digest.finish();
}

}  // namespace weft
