// The body of a request that came by gzip or deflate, in pieces. The HTTP library's own inflating
// takes a body whose end is missing, checksum and all, for a whole one.
#pragma once

#include <cstddef>
#include <functional>

#include <zlib.h>

namespace weft::tools {

class BodyInflater {
 public:
  // Takes a piece; false says that no more of them are wanted.
  using Take = std::function<bool(const char* bytes, std::size_t size)>;

  BodyInflater();
  ~BodyInflater();
  BodyInflater(const BodyInflater&) = delete;
  BodyInflater& operator=(const BodyInflater&) = delete;

  // False where the bytes are damaged, or `take` says no.
  bool add(const char* bytes, std::size_t size, const Take& take);
  // Whether all that was begun has come to its end, with the checksum that it names.
  bool is_complete() const { return is_complete_; }

 private:
  z_stream stream_ = {};
  bool is_complete_ = false;
};

}  // namespace weft::tools
