// Standard input and output under the names that users give them, and the formats of outputs.
#pragma once

#include <memory>
#include <string>

#include "framework/text/converter.h"
#include "framework/text/doc_writer.h"
#include "tools/command_line.h"
#include "tools/terminal.h"

namespace weft::tools {

// The file that a word of the command line stands for: /dev/stdin for `-`.
std::string input_name(const std::string& word);

// The same of an output: /dev/stdout for `-`.
std::string output_name(const std::string& word);

// Whether a word stands for standard output: `-`, /dev/stdout.
bool is_standard_output(const std::string& word);

// Adds --file-type, the format of what goes to standard output, whose name has no ending.
void accept_file_type(CommandLine& line);

// A writer for `output`: of --file-type where it was given, else by the ending; JSON lines to
// standard output, whose control characters are escaped like those of all text on a terminal.
// Throws as open_doc_writer, Error(usage) for .spacy on a terminal.
std::unique_ptr<DocWriter> open_output(const CommandLine& line, const std::string& output,
                                       DocWriterOptions options, JsonOutput& json);

// The ending that says the format of `output`: ".conllu".
std::string output_format(const CommandLine& line, const std::string& output);

}  // namespace weft::tools
