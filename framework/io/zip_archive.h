// The members of a zip archive, read one at a time. Source: PKWARE's APPNOTE 6.3; members are
// stored or deflated, sizes may have 64 bits.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "framework/io/decompressor.h"
#include "registry/base/export.h"
#include "registry/base/input_file.h"

namespace weft {

struct ZipEntry {
  std::string name;
  std::uint64_t packed = 0;  // bytes in the archive
  std::uint64_t size = 0;    // bytes of the member
  std::uint64_t offset = 0;  // of its local header
  std::uint32_t crc = 0;
  std::uint16_t method = 0;  // 0 stored, 8 deflated

  bool is_folder() const { return name.ends_with('/'); }
};

// The members in the order of the archive's directory. `name`: for messages. Throws Error(data) for
// what is no zip archive, has parts in other files, or more than 65,536 members.
WEFT_API std::vector<ZipEntry> read_zip_directory(const InputFile& file, const std::string& name);

// The bytes of a member; `file` outlives them. Bytes behind its size are an error, as is
// another checksum. Throws Error(data) for a member that is encrypted or packed otherwise.
WEFT_API std::unique_ptr<Decompressor> open_zip_member(const InputFile& file,
                                                       const std::string& name,
                                                       const ZipEntry& entry);

}  // namespace weft
