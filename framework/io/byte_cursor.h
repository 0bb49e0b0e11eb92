// Bytes that are read forward, from memory or from somewhere larger.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

class WEFT_API ByteCursor {
 public:
  // `name`: what messages call the source, usually a file's name.
  explicit ByteCursor(std::string name) : name_(std::move(name)) {}
  virtual ~ByteCursor();

  // The next `size` bytes; the view ends with the next call. Throws Error(data) if there are fewer;
  // memory is only taken as bytes arrive, so a false size costs nothing.
  virtual std::string_view take(std::uint64_t size) = 0;
  // Throws Error(data) if there are fewer.
  virtual void skip(std::uint64_t size) = 0;
  virtual bool at_end() = 0;
  // Throws Error(data) if bytes are left.
  void require_end();
  // Some of the bytes that come next, those that are there without further work; maybe none.
  virtual std::string_view at_hand() const = 0;
  // How many bytes were taken or skipped.
  virtual std::uint64_t position() const = 0;

  const std::string& name() const { return name_; }
  // Throws Error(data) with `message`, placed in this source.
  [[noreturn]] void fail(const std::string& message) const;

 protected:
  ByteCursor(const ByteCursor&) = default;
  ByteCursor& operator=(const ByteCursor&) = default;

 private:
  std::string name_;
};

// Over bytes that outlive it.
class WEFT_API MemoryCursor final : public ByteCursor {
 public:
  MemoryCursor(std::string_view bytes, std::string name)
      : ByteCursor(std::move(name)), bytes_(bytes) {}

  std::string_view take(std::uint64_t size) override;
  void skip(std::uint64_t size) override { take(size); }
  bool at_end() override { return position_ == bytes_.size(); }
  std::string_view at_hand() const override { return bytes_.substr(position_); }
  std::uint64_t position() const override { return position_; }

 private:
  std::string_view bytes_;
  std::size_t position_ = 0;
};

}  // namespace weft
