#include "framework/ops/fast_products.h"

namespace weft {
namespace {

thread_local bool is_allowed = false;

}  // namespace

void allow_fast_products(bool allowed) {
  is_allowed = allowed;
}

bool fast_products_allowed() {
  return is_allowed;
}

}  // namespace weft
