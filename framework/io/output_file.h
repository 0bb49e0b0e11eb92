// A file that is being written beside its place: without a name where the file system allows it, so
// that nothing is left of it however the process ends, else under one of its own.
#pragma once

#include <filesystem>
#include <string>

#include "framework/io/descriptor.h"

namespace weft {

// The file that is written did not exist before and nobody else can know its name, which it has
// from the start or only while it is put in its place; the file in its place stays as it is until
// `commit`. Links there are replaced, not followed. Where something stands there that is no file
// (open_output.h), that is written to as it comes.
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
  void create_named();
  // Whether a file without a name could be opened that can get one.
  bool create_nameless();
  void give_name();
  // Throws where another file, or none, stands under the temporary name.
  void check_own();

  std::filesystem::path target_;
  std::string name_;
  std::string temporary_;  // "" where the target is written to directly, has its name, or has none
  bool is_nameless_ = false;
  Descriptor folder_;
  Descriptor file_;
};

}  // namespace weft
