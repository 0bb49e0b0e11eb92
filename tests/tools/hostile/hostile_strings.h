// Strings that do harm where a terminal gets them as they are.
#pragma once

#include <string>
#include <vector>

namespace weft::testing_tools {

// Valid UTF-8 without NUL and line feed: what a label, a name or a text can hold.
inline const std::vector<std::string>& hostile_texts() {
  static const std::vector<std::string> texts = {
      "\x1B[31mred",              // colour
      "\x1B[2J\x1B[H",            // empties the screen
      "\x1B]0;title\a",           // the window's title
      "\x1B]52;c;ZXZpbA==\a",     // the clipboard
      "\x1B]8;;http://x\x1B\\y",  // a link
      "\x1B[6n",                  // asks for the cursor's place
      "\x1BP+q544e\x1B\\",        // a device control string
      "\x1B[?1049h",              // the other screen
      "\x1B(0lqk",                // line drawing
      "over\rwritten",
      "back\b\b\bspace",
      "bell\a",
      "form\fvert\v",
      "shift\x0Eout\x0F",
      "del\x7F",
      "c1\u009B31m",
      "nel\u0085ind\u0084",
      "osc\u009D0;t\u009C",
      "rlo\u202Egnp.exe",
      "isolate\u2066\u2067\u2069",
      "marks\u200E\u200F\u061C",
      "lines\u2028\u2029",
      "zero\u200Bwidth\u2060\uFEFF",
      "soft\u00ADhyphen",
      "tags\U000E0041\U000E0001",
      "private\uE000\U00100000",
      "unassigned\u0378\uFFFF",
  };
  return texts;
}

// Bytes that are no UTF-8: what arguments, file names and damaged files can hold.
inline const std::vector<std::string>& hostile_bytes() {
  static const std::vector<std::string> bytes = {
      "raw\x9B"
      "31m",  // CSI in one byte, for a terminal of 8 bits
      "raw\x90\x9D\x9C",
      "long\xC0\x9B",  // overlong
      "long\xE0\x80\x9B",
      "long\xF0\x80\x80\x9B",
      "half\xE2\x80",
      "surrogate\xED\xA0\x80",
      "beyond\xF4\x90\x80\x80",
      "lone\x80\xBF",
      "never\xFE\xFF",
      "\xC2\x1B[31m",  // an escape behind a sequence's beginning
  };
  return bytes;
}

inline std::vector<std::string> all_hostile() {
  std::vector<std::string> all = hostile_texts();
  all.insert(all.end(), hostile_bytes().begin(), hostile_bytes().end());
  return all;
}

// All of them one behind the other.
inline std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part + " ";
  return text;
}

}  // namespace weft::testing_tools
