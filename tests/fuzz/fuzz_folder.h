// A folder of files that a target reads, made once and written to for each input.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <unistd.h>

namespace weft::fuzz {

class FuzzFolder {
 public:
  FuzzFolder() {
    // In memory where that can be: readers and writers would wait for the disk for each input.
    const std::filesystem::path memory = "/dev/shm";
    const bool there = std::filesystem::is_directory(memory) && ::access(memory.c_str(), W_OK) == 0;
    const auto above = there ? memory : std::filesystem::temp_directory_path();
    std::string name = (above / "weft-fuzz-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder can be made");
    path_ = name;
  }
  ~FuzzFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  FuzzFolder(const FuzzFolder&) = delete;
  FuzzFolder& operator=(const FuzzFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  void write(const std::filesystem::path& name, std::string_view bytes) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) throw std::runtime_error("the folder cannot be written");
  }

 private:
  std::filesystem::path path_;
};

}  // namespace weft::fuzz
