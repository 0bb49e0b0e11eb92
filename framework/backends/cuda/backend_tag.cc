// The ABI tag of the library, in a section of its own: libweft.so reads it from the file before it
// opens the library (framework/tensor/open_backend.h).
#include "registry/base/export.h"
#include "registry/plugins/abi_tag.h"

extern "C" {
[[gnu::used,
  gnu::section(".weft_backend")]] WEFT_API extern constexpr std::array<char, weft::AbiTag::kSize>
    weft_backend_tag = weft::kAbiTag.text();
}
