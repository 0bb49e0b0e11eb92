// The `state.json` of a checkpoint whose hashes are true, whatever else it says.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "registry/base/sha256.h"
#include "registry/value/json.h"
#include "tests/fuzz/fuzz_folder.h"

namespace weft::fuzz {

// The object of the bytes with the hashes of those files of the folder, and its own hash behind it;
// other bytes as they are.
inline std::string sealed_state(std::string_view bytes, const FuzzFolder& folder,
                                std::initializer_list<const char*> names) {
  auto state = parse_json(bytes);
  if (!state || !state->is_object()) return std::string(bytes);
  Object files;
  for (const char* name : names) files.set(name, sha256_of_file(folder.path() / name));
  state->as_object().set("files", std::move(files));
  const std::string text = to_json(*state);
  return text + "\n" + sha256(text) + "\n";
}

}  // namespace weft::fuzz
