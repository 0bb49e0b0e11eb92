#pragma once

namespace weft::tools {

// "weft 0.1.0" on standard output.
void print_version();

}  // namespace weft::tools
