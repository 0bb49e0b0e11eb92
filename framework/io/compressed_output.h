// A stream whose bytes go to another one compressed.
#pragma once

#include <memory>
#include <ostream>
#include <streambuf>
#include <vector>

#include "framework/io/compression.h"
#include "registry/base/export.h"

namespace weft {

// Compresses piece by piece. The same bytes always give the same file: no date, no name.
class WEFT_API Compressor {
 public:
  // Not for Compression::none. Throws Error(memory).
  static std::unique_ptr<Compressor> open(Compression compression);
  virtual ~Compressor() = default;

  // Puts what is ready behind `out`; with `last`, all that is left and the end of the file.
  virtual void add(std::string_view bytes, bool last, std::string& out) = 0;
};

class WEFT_API CompressedOutput : public std::streambuf {
 public:
  // `target` outlives it.
  CompressedOutput(Compression compression, std::ostream& target);

  // Writes all that is left; nothing can be written afterwards. Whether `target` took it shows
  // there.
  void finish();

 protected:
  int_type overflow(int_type c) override;

 private:
  void pass_on(bool last);

  std::unique_ptr<Compressor> compressor_;
  std::ostream& target_;
  std::vector<char> buffer_;
  std::string ready_;
};

}  // namespace weft
