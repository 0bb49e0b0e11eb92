// A file that can be read from any place and several times, whatever the user named: a pipe or
// a compressed file is copied to a temporary file without a name first.
#pragma once

#include <optional>
#include <string>

#include "framework/io/descriptor.h"
#include "registry/base/export.h"

namespace weft {

enum class Inflated { as_it_is, yes };

class WEFT_API SeekableInput {
 public:
  // `inflate`: regular files that are compressed are copied too; pipes always are inflated.
  // Inflated data may become as large as a ReadBudget allows for the file. Throws as InputStream,
  // Error(system) where the temporary file cannot be written (TMPDIR says where it lies),
  // Error(data) for more than 64 GiB.
  explicit SeekableInput(std::string file, Inflated inflate = Inflated::as_it_is);

  // The file itself, or a name of the copy, which is good as long as this object lives.
  const std::string& path() const { return path_; }

 private:
  void copy(const std::string& file);

  std::string path_;
  Descriptor copy_;
};

}  // namespace weft
