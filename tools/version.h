#pragma once

namespace weft::tools {

// The name and version, "weft 1.2.3", on standard output.
void print_version();

}  // namespace weft::tools
