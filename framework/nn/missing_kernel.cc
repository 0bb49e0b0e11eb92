#include "framework/nn/missing_kernel.h"

namespace weft {

void throw_on_from(const std::string& where, const Error& error) {
  const bool has_place = dynamic_cast<const MissingKernel*>(&error) != nullptr;
  if (error.kind() != ErrorKind::device || has_place) throw;
  throw MissingKernel(where, error);
}

}  // namespace weft
