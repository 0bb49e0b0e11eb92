// `.spacy` files whose parts can be replaced one by one by something that was made to hurt.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/io/msgpack_writer.h"
#include "tests/tools/hostile/inflating_file.h"

namespace weft::testing_tools {

// The parts that `write` packs.
template <class Write>
std::string packed(Write write) {
  MsgpackWriter writer;
  write(writer);
  return writer.take();
}

// Of MessagePack: the byte of a type with four bytes of length.
std::string head(unsigned char type, std::uint64_t length);
inline std::string array_head(std::uint64_t size) {
  return head(0xDD, size);
}
inline std::string map_head(std::uint64_t pairs) {
  return head(0xDF, pairs);
}
inline std::string str_head(std::uint64_t bytes) {
  return head(0xDB, bytes);
}
inline std::string bin_head(std::uint64_t bytes) {
  return head(0xC6, bytes);
}

class DocBinParts {
 public:
  using Fill = std::function<void(InflatingFile&)>;

  // One document of so many tokens, all the word "a". Every part can be read.
  explicit DocBinParts(std::uint64_t tokens = 2);

  // In the place of what the key has; a new key comes behind all others.
  void set(const std::string& key, Fill fill);
  void set(const std::string& key, std::string value);
  // The key once more, behind all others.
  void add(const std::string& key, Fill fill);
  // The only element of a list with one element for each document.
  void set_only(const std::string& key, std::string_view element);

  std::string bytes() const;

 private:
  std::vector<std::pair<std::string, Fill>> parts_;
};

}  // namespace weft::testing_tools
