// Labels of a dependency parse that mean something to the parser (docs/parsing.md).
#pragma once

namespace weft {

inline constexpr const char* kRootLabel = "ROOT";
inline constexpr const char* kOtherLabel = "dep";        // for arcs of labels that are no classes
inline constexpr const char* kSubtokenLabel = "subtok";  // joins parts of a word

}  // namespace weft
