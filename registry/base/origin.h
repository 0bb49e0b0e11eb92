// Where a value came from: every node of a config and every problem carries one.
#pragma once

#include <memory>
#include <string>

#include "registry/base/export.h"

namespace weft {

struct WEFT_API Origin {
  enum class Source : unsigned char {
    none,           // made by a program
    file,           // name = the file's name, with line and column
    command_line,   // name = the word(s) of the command line
    environment,    // name = the variable's name
    default_value,  // name = the function or schema whose default it is
  };

  Source source = Source::none;
  std::shared_ptr<const std::string> name;  // shared between the nodes of one file; may be null
  int line = 0;                             // 1-based; 0 = unknown
  int column = 0;                           // 1-based, in code points; 0 = unknown

  // "train.cfg:41:1", "command line --training.dropout", "SPACY_CONFIG_OVERRIDES",
  // "default of Adam.v1", or "" where nothing is known.
  std::string str() const;

  static Origin file(std::shared_ptr<const std::string> name, int line, int column);
  static Origin command_line(std::string word);
  static Origin environment(std::string variable);
  static Origin default_of(std::string function);
};

}  // namespace weft
