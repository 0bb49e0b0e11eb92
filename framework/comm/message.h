// Numbers, texts and arrays as bytes, for what ranks of one build tell each other. A reader never
// goes beyond its bytes, and believes no length that they do not hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "framework/tensor/tensor.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API MessageWriter {
 public:
  MessageWriter() = default;
  // Writes into the memory of a text that is not needed any more.
  explicit MessageWriter(std::string memory) : bytes_(std::move(memory)) { bytes_.clear(); }

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { put_bytes(&value, sizeof(T)); }
  void put_bytes(const void* data, std::size_t count) {
    bytes_.append(static_cast<const char*>(data), count);
  }
  void put_text(std::string_view text) {
    put<std::uint64_t>(text.size());
    bytes_ += text;
  }
  // Of the host; an empty one too.
  void put_tensor(const Tensor& tensor);

  std::size_t size() const { return bytes_.size(); }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// The bytes outlive it. Throws PeerLost for bytes that a writer did not make.
class WEFT_API MessageReader {
 public:
  explicit MessageReader(std::string_view bytes) : left_(bytes) {}

  template <class T>
  requires std::is_trivially_copyable_v<T> T get() {
    T value;
    std::memcpy(&value, get_bytes(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string_view get_bytes(std::size_t count);
  std::string get_text() { return std::string(get_bytes(get<std::uint64_t>())); }
  Tensor get_tensor();

  // How many things follow, of which each takes at least a byte.
  std::size_t get_count();

  bool is_at_end() const { return left_.empty(); }

 private:
  std::string_view left_;
};

// Of all bytes that a rank gets in one operation; more is not believed.
inline constexpr std::uint64_t kMostBytesOfRanks = std::uint64_t{1} << 40;

// The sum of lengths that ranks have told. Throws PeerLost where one, or their sum, is more than
// `most`.
WEFT_API std::size_t sum_of_lengths(std::span<const std::uint64_t> lengths, std::uint64_t most);

}  // namespace weft
