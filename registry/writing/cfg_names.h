// Which names the `.cfg` dialect can hold. Source: docs/config.md, "Writing".
#pragma once

#include <string>
#include <string_view>

namespace weft {

// Why the dotted name, `part` its last part, cannot stand in a header, or "" if it can.
std::string section_name_fault(std::string_view name, std::string_view part);

// Why a line `key = value` would not be read back as that key, or "" if it would.
std::string key_fault(std::string_view key, std::string_view line);

// One line that reads as a comment: `# ` is put before text that starts with none of `signs`, and
// another sign is replaced by the first of them. Line breaks become blanks.
std::string comment_line(std::string_view text, std::string_view signs);

}  // namespace weft
