// Writes `.safetensors` files (https://github.com/huggingface/safetensors, format description).
#pragma once

#include <map>
#include <ostream>
#include <string>

#include "framework/tensor/tensor.h"
#include "registry/base/export.h"

namespace weft {

// The arrays, on the host, by their names; one after the other in the order of the map behind the
// JSON header. The stream's state says whether it worked.
WEFT_API void write_safetensors(const std::map<std::string, Tensor>& arrays, std::ostream& out);

}  // namespace weft
