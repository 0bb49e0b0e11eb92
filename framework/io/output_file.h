// A file that is being written under a name of its own beside its place.
#pragma once

#include <filesystem>
#include <string>

#include "framework/io/descriptor.h"

namespace weft {

// The file that is written did not exist before and nobody else can know its name; the file in
// its place stays as it is until `commit`. Links there are replaced, not followed. Where something
// stands there that is no file (open_output.h), that is written to as it comes.
class OutputFile {
 public:
  // Throws Error(system).
  explicit OutputFile(std::filesystem::path target);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  int descriptor() const { return file_.get(); }
  // Puts what was written on the disk, then the file in its place, then its name on the disk.
  // Throws Error(system); the place is then as it was.
  void commit();

 private:
  void create();
  // Throws where another file, or none, stands under the temporary name.
  void check_own();

  std::filesystem::path target_;
  std::string name_;
  std::string temporary_;  // "" where the target is written to directly, or has its name
  Descriptor folder_;
  Descriptor file_;
};

}  // namespace weft
