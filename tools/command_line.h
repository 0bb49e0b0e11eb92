// The words of one command: its own options, the common ones, and overrides of config values.
#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/command.h"

namespace weft::tools {

// The options and arguments of a command. Built once in each command:
//
//   CommandLine line("train CONFIG [options]", "Trains a pipeline.", "weft train ner.cfg");
//   line.positional("config", "the config file");
//   line.option("output,o", "DIR", "where the pipeline goes");
//   line.flag("overwrite", "replace what stands in DIR");
//   line.accept_overrides();
//   if (!line.parse(words)) return 0;      // --help or --version was asked for, and answered
class CommandLine {
 public:
  CommandLine(std::string usage, std::string summary, std::string example);
  ~CommandLine();

  void positional(const std::string& name, const std::string& meaning, bool required = true);
  // One word or more, all that come behind the others; `texts` gives them.
  void positionals(const std::string& name, const std::string& meaning);
  // `names` is "long" or "long,s".
  void option(const std::string& names, const std::string& value, const std::string& meaning);
  void list(const std::string& names, const std::string& value, const std::string& meaning);
  void flag(const std::string& names, const std::string& meaning);
  // Further words for the option `name`, which spaCy's command has and the help leaves out:
  // also("spans-key", {"-sk"}).
  void also(const std::string& name, const Words& words);

  void accept_json();       // --json
  void accept_code();       // --code LIB.so, -c
  void accept_pipelines();  // --pipelines DIR
  // The same where -c is another option's.
  void accept_code_without_letter();
  void accept_threads();    // --threads N
  void accept_gpu();        // --gpu-id N
  void accept_precision();  // --precision LEVEL
  void accept_overrides();  // --section.key VALUE, --verbose, -V
  // The same where -V is another option's.
  void accept_overrides_without_letter();

  // False if the words asked for help or the version, which is then printed. Throws Error(usage).
  bool parse(const Words& words);

  bool has(const std::string& name) const;
  // The option or positional word, if it was given.
  std::optional<std::string> given(const std::string& name) const;
  // The same; "" if it was not.
  std::string text(const std::string& name) const;
  // The same of a file or folder. Throws Error(usage) where an empty word was given for it, as an
  // unset variable of a script is.
  std::filesystem::path path(const std::string& name) const;
  std::vector<std::string> texts(const std::string& name) const;
  // A whole number; `otherwise` if it was not given. Throws Error(usage) for anything else.
  int number(const std::string& name, int otherwise) const;
  // The same for one from `least` to `most`, which `otherwise` need not be.
  int number_within(const std::string& name, int otherwise, int least,
                    int most = std::numeric_limits<int>::max()) const;

  const Words& override_words() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weft::tools
