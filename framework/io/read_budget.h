// How much memory the contents of one file may take while they are read. Compressed data grows up
// to a thousandfold, and few bytes of a format can stand for large objects, so that a small file
// could fill all memory where only lengths were checked.
//
//   weft::ReadBudget budget(file, std::filesystem::file_size(file));
//   budget.charge(texts * 64, "the strings");  // before they are made
#pragma once

#include <cstdint>
#include <string>

#include "registry/base/export.h"

namespace weft {

// 0 where the system does not say; opening the file then says why.
WEFT_API std::uint64_t size_of_file(const std::string& file);

// 192 MiB and 256 bytes more for each byte of the file, but at most 384 MiB or twice the file,
// whichever is more. The variable WEFT_READ_MIB of the environment sets another limit, in MiB.
class WEFT_API ReadBudget {
 public:
  // To be charged for a token of a document that is read from text. The document itself takes less,
  // a pipeline that annotates it some two kilobytes.
  static constexpr std::uint64_t kToken = 768;
  // For a byte of a text that is to be cut into tokens: each may become one.
  static constexpr std::uint64_t kTextByte = 128;

  // Of a file that is there; of one that is not, or is none, as of one without bytes.
  explicit ReadBudget(const std::string& file);
  // `file`: for messages. Both throw Error(usage) where WEFT_READ_MIB is no number from 1 on.
  ReadBudget(std::string file, std::uint64_t file_bytes);

  // Counts `bytes` that are about to be taken for `what`, as in "the strings". Throws Error(data),
  // placed in the file, where they are more than what is left.
  void charge(std::uint64_t bytes, const char* what);

  std::uint64_t limit() const { return limit_; }
  std::uint64_t used() const { return used_; }
  // Counts less again: memory charged since `used` was `bytes` is freed, or is not the reader's any
  // more.
  void release_to(std::uint64_t bytes) { used_ = bytes; }

 private:
  std::string file_;
  std::uint64_t limit_;
  std::uint64_t used_ = 0;
};

}  // namespace weft
