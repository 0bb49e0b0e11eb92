// A saved pipeline as a Python package, which pip installs and spaCy loads by its name: a folder, a
// source archive and a wheel, written without Python.
// Sources: PEP 427 (wheels), PEP 625 (source archives), PEP 440 (versions); spaCy 3.8, `package`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

struct PackageOptions {
  Object meta;  // of the pipeline, with the name and version that the package gets
  std::vector<std::filesystem::path> code;  // Python modules that are imported with the package
  bool sdist = true;
  bool wheel = false;
};

struct WrittenPackage {
  std::string name;  // "en_core"
  std::vector<std::filesystem::path> archives;
};

// The name and version of a package in the folder it is written to, "en_core-0.1.0". Throws
// Error(usage) for a name or version that no package can have, with one that it can.
WEFT_API std::string package_folder_name(const Object& meta);

// Writes `parent`/package_folder_name(meta)/ in one step, in the place of what was there; archives
// lie in its folder `dist`. The same pipeline gives the same bytes. Throws Error(data) for a
// pipeline that is damaged, for links in it that lead out of its folder, and for requirements that
// are no texts; Error(system).
WEFT_API WrittenPackage write_package(const std::filesystem::path& pipeline,
                                      const std::filesystem::path& parent,
                                      const PackageOptions& options);

}  // namespace weft
