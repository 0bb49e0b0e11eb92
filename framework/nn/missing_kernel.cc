#include "framework/nn/missing_kernel.h"

#include "framework/nn/wrong_input.h"

namespace weft {

void throw_on_from(const std::string& where, const Error& error) {
  if (dynamic_cast<const WrongInput*>(&error) != nullptr) {
    throw Error(ErrorKind::config,
                where + ": " + error.message() + "; the layers of the network do not fit together");
  }
  const bool has_place = dynamic_cast<const MissingKernel*>(&error) != nullptr;
  if (error.kind() != ErrorKind::device || has_place) throw;
  throw MissingKernel(where, error);
}

}  // namespace weft
