// Whether the libraries under test are built with a sanitizer, which has allocations of its own:
// measures of memory and time say nothing then.
#pragma once

namespace weft::testing_tools {

#ifdef WEFT_SANITIZED
inline constexpr bool kHasSanitizer = true;
#else
inline constexpr bool kHasSanitizer = false;
#endif

// The runtime's own `dlopen` lets no exception through.
#ifdef __SANITIZE_THREAD__
inline constexpr bool kHasThreadSanitizer = true;
#else
inline constexpr bool kHasThreadSanitizer = false;
#endif

}  // namespace weft::testing_tools
