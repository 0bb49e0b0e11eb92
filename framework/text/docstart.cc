#include "framework/text/docstart.h"

#include <filesystem>
#include <system_error>

#include "framework/text/doc_writer.h"

namespace weft {

namespace fs = std::filesystem;

bool needs_docstart(const Converter& converter, const ConverterInput& input,
                    std::string_view format) {
  // A pipe can be read only once.
  std::error_code unknown;
  const bool is_again =
      fs::is_regular_file(input.path, unknown) || fs::is_directory(input.path, unknown);
  if (!is_token_lines(format) || !is_again) return false;
  bool needed = false;
  ConverterInput silent = input;
  silent.tell = {};
  silent.left_out = {};
  silent.take_record = {};
  if (silent.bad_row) silent.bad_row = [](const Error&) {};
  converter.read(silent, [&](const Doc& doc) { needed = needed || doc.sents().size() > 1; });
  return needed;
}

}  // namespace weft
