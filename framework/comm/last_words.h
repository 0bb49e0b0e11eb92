// The reason for which a rank gives a run up, told to the others by the store of rank 0.
#pragma once

#include <chrono>
#include <exception>
#include <string>

#include "framework/comm/store.h"

namespace weft {

inline constexpr const char* kLastWordsKey = "weft/aborted";

// The program is about to end, and rank 0 may be out of reach: then nothing is told.
inline void tell_last_words(StoreClient& client, const std::string& reason) noexcept {
  constexpr std::chrono::milliseconds kWait{2000};
  constexpr std::size_t kMost = 4096;
  try {
    client.set(kLastWordsKey, reason.substr(0, kMost), kWait);
  } catch (const std::exception&) {
    // Rank 0 is gone: the others notice by themselves.
  }
}

// "" where nobody told any, or rank 0 is gone.
inline std::string find_last_words(StoreClient& client) noexcept {
  constexpr std::chrono::milliseconds kWait{2000};
  try {
    return client.find(kLastWordsKey, kWait).value_or("");
  } catch (const std::exception&) {
    return "";
  }
}

}  // namespace weft
