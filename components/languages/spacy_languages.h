// The languages that spaCy 3.8 has, by their codes: it refuses a pipeline of another one unless a
// program of its own adds it.
#pragma once

#include <array>
#include <string_view>

namespace weft {

inline constexpr std::array<std::string_view, 79> kSpacyLanguages = {
    "af",  "am",  "ar", "az", "bg", "bn", "bo", "ca", "cs",  "da",  "de", "dsb", "el", "en",
    "es",  "et",  "eu", "fa", "fi", "fo", "fr", "ga", "gd",  "grc", "gu", "he",  "hi", "hr",
    "hsb", "ht",  "hu", "hy", "id", "is", "it", "ja", "kmr", "kn",  "ko", "ky",  "la", "lb",
    "lg",  "lij", "lt", "lv", "mk", "ml", "mr", "ms", "nb",  "ne",  "nl", "nn",  "pl", "pt",
    "ro",  "ru",  "sa", "si", "sk", "sl", "sq", "sr", "sv",  "ta",  "te", "th",  "ti", "tl",
    "tn",  "tr",  "tt", "uk", "ur", "vi", "xx", "yo", "zh"};

}  // namespace weft
