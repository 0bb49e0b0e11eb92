// Notes and warnings of a run as records of Python's `logging`, logger "weft".
#pragma once

#include <streambuf>
#include <string>

#include <nanobind/nanobind.h>

#include "gil.h"
#include "interruption.h"

namespace weft::python {

namespace nb = nanobind;

// A record for each whole line: a warning where it begins with "warning: ", else an info. Takes the
// GIL for that, from whatever thread. `interruption` outlives it.
class LoggingStream : public std::streambuf {
 public:
  explicit LoggingStream(Interruption& interruption) : interruption_(interruption) {}
  // The end of a line that was never finished.
  void finish() {
    if (!line_.empty()) tell();
  }

 protected:
  int_type overflow(int_type c) override {
    if (c == traits_type::eof()) return traits_type::not_eof(c);
    if (c == '\n') {
      tell();
    } else {
      line_ += traits_type::to_char_type(c);
    }
    return c;
  }

 private:
  void tell() {
    constexpr std::string_view kWarning = "warning: ";
    const bool warns = line_.starts_with(kWarning);
    if (warns) line_.erase(0, kWarning.size());
    const HeldGil acquire;
    interruption_.guard("logging", [&] {
      const nb::object text = nb::steal(
          PyUnicode_DecodeUTF8(line_.data(), static_cast<Py_ssize_t>(line_.size()), "replace"));
      const nb::object logger = nb::module_::import_("logging").attr("getLogger")("weft");
      logger.attr(warns ? "warning" : "info")("%s", text);
    });
    line_.clear();
  }

  Interruption& interruption_;
  std::string line_;
};

}  // namespace weft::python
