// The one error type of the project. A library never prints and never exits: it throws this, and
// the program turns it into a message and an exit code in one place.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "registry/base/export.h"
#include "registry/base/problem.h"

namespace weft {

// The kind of an error, by the one that has to act. `exit_code` maps it to the documented codes.
enum class ErrorKind {
  usage,     // the command line
  config,    // the config: `problems` lists everything found
  data,      // a corpus or a pipeline on disk is wrong or damaged
  device,    // a device is missing or refused
  plugin,    // a plugin library cannot be used
  system,    // the operating system said no: permission, disk, missing folder
  memory,    // out of memory
  diverged,  // training met a NaN or an infinity
  internal,  // our own mistake
};

class WEFT_API Error : public std::runtime_error {
 public:
  // `message` is one sentence without a trailing line break; `place` is where the cause stands.
  Error(ErrorKind kind, const std::string& message, Origin place = {});
  // Several problems at once; what() joins their texts, one per line. Never empty.
  Error(ErrorKind kind, std::vector<Problem> problems);

  ErrorKind kind() const { return kind_; }
  const Origin& place() const { return place_; }
  // The message without the place; empty where `problems` say everything.
  const std::string& message() const { return message_; }
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  ErrorKind kind_;
  std::string message_;
  Origin place_;
  std::vector<Problem> problems_;
};

// The process exit code that stands for this kind of error (1 system/internal/device, 2 usage,
// config and plugin, 3 data, 4 diverged, 5 memory).
WEFT_API int exit_code(ErrorKind kind);

}  // namespace weft
