#include "tools/standard_streams.h"

#include <iostream>

#include <unistd.h>

#include "framework/io/compression.h"
#include "registry/base/error.h"

namespace weft::tools {
namespace {

constexpr const char* kStandardInput = "/dev/stdin";
constexpr const char* kStandardOutput = "/dev/stdout";

}  // namespace

std::string input_name(const std::string& word) {
  return word == "-" ? kStandardInput : word;
}

std::string output_name(const std::string& word) {
  return word == "-" ? kStandardOutput : word;
}

bool is_standard_output(const std::string& word) {
  return word == "-" || word == kStandardOutput;
}

void accept_file_type(CommandLine& line) {
  line.option("file-type,t", "FORMAT", "of OUTPUT: spacy, jsonl (of -), conll, iob or conllu");
}

std::string output_format(const CommandLine& line, const std::string& output) {
  if (line.has("file-type")) return "." + line.text("file-type");
  const bool is_nameless = is_standard_output(output) || output == "/dev/null";
  return is_nameless ? ".jsonl" : format_ending(output);
}

std::unique_ptr<DocWriter> open_output(const CommandLine& line, const std::string& output,
                                       DocWriterOptions options, JsonOutput& json) {
  options.format = output_format(line, output);
  if (!is_standard_output(output)) return open_doc_writer(output, options);
  if (options.format == ".jsonl") return json_line_writer(json, options.json);
  const bool is_terminal = ::isatty(STDOUT_FILENO) == 1;
  if (is_terminal && options.format == ".spacy") {
    throw Error(ErrorKind::usage, ".spacy is no text for a terminal; give a file, or a pipe");
  }
  // A pipe gets what a file would get.
  if (is_terminal && is_token_lines(options.format)) return stream_doc_writer(std::cout, options);
  return open_doc_writer(kStandardOutput, options);
}

}  // namespace weft::tools
