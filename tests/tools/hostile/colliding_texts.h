// Texts that a table which goes by the last bits of their ids would put into one place.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::testing_tools {

// So many different texts of 16 ASCII bytes each, whose ids have their last 24 bits in common. They
// are computed: the steps of the hash can be taken back.
std::vector<std::string> colliding_texts(std::uint64_t count);

}  // namespace weft::testing_tools
