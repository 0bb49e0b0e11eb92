// The texts in a Python package of a pipeline.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// The facts that `pip install` needs of a package.
struct PackageFacts {
  std::string name;                       // "en_core": of the module
  std::string version;                    // "0.1.0"
  std::vector<std::string> requirements;  // "spacy>=3.8,<3.9"
  // Fields that may be empty, on one line each.
  std::string summary, author, email, url, license;
  std::string readme;
};

// The packages that a meta.json names as needed. Throws Error(data), without a place, for what is
// no list of texts of one line.
WEFT_API std::vector<std::string> package_requirements(const Object& meta);

// From a meta.json whose name and version were checked. Throws Error(data) for a `requirements`
// that is no list of texts of one line.
PackageFacts package_facts(const Object& meta, std::string readme);

// METADATA of a wheel and PKG-INFO of a source archive.
std::string metadata_text(const PackageFacts& facts);
std::string wheel_text();
std::string entry_points_text(const PackageFacts& facts);
std::string setup_text(const PackageFacts& facts);
std::string manifest_text();
// The module: loads the pipeline, and imports `modules`.
std::string init_text(const std::vector<std::string>& modules);
// RECORD: paths with their SHA-256 in hexadecimal, and their sizes in bytes.
struct RecordedFile {
  std::string path, sha256;
  std::uint64_t size = 0;
};
std::string record_text(const std::vector<RecordedFile>& files, const std::string& own_path);

}  // namespace weft
