// A text stream of Python, such as sys.stdout, as a C++ stream buffer.
#pragma once

#include <streambuf>
#include <string>

#include <nanobind/nanobind.h>

#include "gil.h"
#include "interruption.h"

namespace weft::python {

namespace nb = nanobind;

// Hands on whole lines, and what a flush finds. Takes the GIL for that, from whatever thread; made
// and destroyed under it. `interruption` outlives it.
class PythonStream : public std::streambuf {
 public:
  PythonStream(const char* name, Interruption& interruption)
      : name_(name), interruption_(interruption) {}
  // The end of a line that was never flushed.
  void finish() { sync(); }

 protected:
  int_type overflow(int_type c) override {
    if (c == traits_type::eof()) return traits_type::not_eof(c);
    text_ += traits_type::to_char_type(c);
    if (c == '\n') sync();
    return c;
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    text_.append(text, static_cast<std::size_t>(size));
    if (text_.find('\n') != std::string::npos) sync();
    return size;
  }
  // sys.stdout is looked up each time: notebooks and tests replace it.
  int sync() override {
    if (text_.empty()) return 0;
    const HeldGil acquire;
    interruption_.guard(name_, [&] {
      const nb::object stream = nb::module_::import_("sys").attr(name_);
      if (stream.is_none()) return;
      const nb::object text = nb::steal(
          PyUnicode_DecodeUTF8(text_.data(), static_cast<Py_ssize_t>(text_.size()), "replace"));
      stream.attr("write")(text);
      stream.attr("flush")();
    });
    text_.clear();
    return 0;
  }

 private:
  const char* name_;
  Interruption& interruption_;
  std::string text_;
};

}  // namespace weft::python
