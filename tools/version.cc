#include "tools/version.h"

#include <iostream>

namespace weft::tools {

void print_version() {
  std::cout << "weft " WEFT_VERSION "\n";
}

}  // namespace weft::tools
