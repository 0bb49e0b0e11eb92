#include "registry/base/sha256.h"

#include <array>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nettle/sha2.h>

#include "registry/base/input_file.h"

namespace weft {

struct Sha256::State {
  sha256_ctx context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  sha256_init(&state_->context);
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  sha256_update(&state_->context, bytes.size(),
                reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

std::string Sha256::str() const {
  sha256_ctx copy = state_->context;  // the digest ends it
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest;
  sha256_digest(&copy, digest.size(), digest.data());
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::string sha256(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.str();
}

std::string sha256_of_file(const std::filesystem::path& file) {
  InputFile input(file);
  Sha256 digest;
  std::vector<char> buffer(1 << 16);
  while (const std::size_t got = input.read(buffer.data(), buffer.size())) {
    digest.add({buffer.data(), got});
  }
  return digest.str();
}

}  // namespace weft
