#include "framework/io/input_buffer.h"

namespace weft {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

}  // namespace

InputBuffer::InputBuffer(const std::string& file) : file_(file), buffer_(kBufferBytes) {}

InputBuffer::int_type InputBuffer::underflow() {
  const std::size_t got = file_.read(buffer_.data(), buffer_.size());
  setg(buffer_.data(), buffer_.data(), buffer_.data() + got);
  return got == 0 ? traits_type::eof() : traits_type::to_int_type(buffer_.front());
}

}  // namespace weft
