#include "tests/conformance/conformance_components/unpacked.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <zlib.h>

namespace weft::conformance {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> packed_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".gz") files.push_back(entry.path());
  }
  return files;
}

void unpack(const fs::path& packed) {
  gzFile in = gzopen(packed.c_str(), "rb");
  if (in == nullptr) throw std::runtime_error("cannot read " + packed.string());
  fs::path target = packed;
  std::ofstream out(target.replace_extension(), std::ios::binary);
  std::vector<char> buffer(1 << 16);
  int count = 0;
  while ((count = gzread(in, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0) {
    out.write(buffer.data(), count);
  }
  gzclose(in);
  if (count < 0) throw std::runtime_error(packed.string() + " is damaged");
}

fs::path temporary_folder() {
  std::string name = (fs::temp_directory_path() / "weft-model-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for an unpacked model");
  return name;
}

}  // namespace

Unpacked::Unpacked(fs::path folder) : folder_(std::move(folder)) {
  if (packed_in(folder_).empty()) return;
  const fs::path copy = temporary_folder();
  fs::copy(folder_, copy, fs::copy_options::recursive);
  folder_ = copy;
  is_copy_ = true;
  for (const fs::path& file : packed_in(folder_)) unpack(file);
}

Unpacked::~Unpacked() {
  std::error_code ignored;
  if (is_copy_) fs::remove_all(folder_, ignored);
}

}  // namespace weft::conformance
