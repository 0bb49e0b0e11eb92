// The place where commands' errors become messages and exit codes. Two ends pass it by: that of a
// rank whose group failed (run_and_report of train.cc), and of a program that a plugin ends while
// it is loaded (LoadWatch of setup.cc).
#include "tools/run_program.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <new>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "framework/io/broken_pipe.h"
#include "framework/io/system_error.h"
#include "framework/pipeline/check_config.h"
#include "framework/text/warning_limit.h"
#include "registry/base/error.h"
#include "registry/base/suggest.h"
#include "tools/command.h"
#include "tools/output_watch.h"
#include "tools/python_code.h"
#include "tools/setup.h"
#include "tools/terminal.h"
#include "tools/version.h"

namespace weft::tools {
namespace {

void print_commands() {
  std::cout << "usage: weft COMMAND [words]\n\nTrains and uses pipelines for natural language.\n\n";
  for (const Command& command : commands()) {
    std::cout << fmt::format("  {:<20}{}\n", command.name, command.summary);
  }
  std::cout << "\n  --help, --version; `weft COMMAND --help` explains a command\n"
               "\nexample: weft init config train.cfg --lang en --pipeline ner\n";
}

// The longest command whose name the words begin with; takes its words away.
const Command* find_command(Words& words) {
  for (const std::size_t length : {std::size_t{2}, std::size_t{1}}) {
    if (words.size() < length) continue;
    const std::string name = length == 2 ? words[0] + " " + words[1] : words[0];
    for (const Command& command : commands()) {
      if (command.name != name) continue;
      words.erase(words.begin(), words.begin() + static_cast<long>(length));
      return &command;
    }
  }
  return nullptr;
}

[[noreturn]] void refuse_command(const Words& words) {
  Words names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  const bool group = words.size() > 1 && !words[1].starts_with("-") &&
                     std::any_of(names.begin(), names.end(), [&](const std::string& name) {
                       return name.starts_with(words[0] + " ");
                     });
  const std::string asked = group ? words[0] + " " + words[1] : words[0];
  std::string message = fmt::format("there is no command '{}'", asked);
  const auto near = nearest(asked, names);
  if (!near.empty()) message += fmt::format(" (did you mean {}?)", join_or(near));
  throw Error(ErrorKind::usage, message + "; see weft --help");
}

int run_words(Words words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    return print_commands(), words.empty() ? 2 : 0;
  }
  if (words[0] == "--version") return print_version(), 0;
  const Command* command = find_command(words);
  if (command == nullptr) refuse_command(words);
  return command->run(words);
}

int report(const char* what, int code) {
  std::cout.flush();
  std::cerr << "weft: " << what << '\n';
  return code;
}

// Findings about a config stand in lines of their own, each beginning with its place.
int report(const Error& error) {
  if (python_code() != nullptr) python_code()->show(error);
  if (error.problems().empty()) return report(error.what(), exit_code(error.kind()));
  std::cout.flush();
  bool may_be_plugins = false;
  std::set<std::string> hints;
  WarningLimit lines(std::cerr, kMostProblems);
  for (const Problem& problem : error.problems()) {
    lines.show("problems of the config", problem.str());
    if (problem.kind != ProblemKind::unknown_function) continue;
    std::string hint = python_code() != nullptr ? python_code()->hint_for(problem.function) : "";
    may_be_plugins = may_be_plugins || (hint.empty() && problem.suggestion.empty());
    if (!hint.empty()) hints.insert(std::move(hint));
  }
  lines.summarize();
  for (const std::string& hint : hints) std::cerr << "weft: " << hint << '\n';
  if (may_be_plugins) {
    std::cerr << "weft: a plugin's functions need it loaded: --code PLUGIN.so; those of Python "
              << (python_code() != nullptr ? "their file: --code FILE.py\n"
                                           : "`python -m weft` and their file: --code FILE.py\n");
  }
  return exit_code(error.kind());
}

// The exit code that a shell gives for a program that SIGPIPE ended.
constexpr int kClosedPipe = 128 + SIGPIPE;

}  // namespace

int run_program(const Words& words) {
  const OutputWatch watch;
  const Terminal terminal;
  try {
    const int code = run_words(words);
    std::cout.flush();
    // A command that ended otherwise, as by the signal of a terminal that was closed, has said so.
    if (!std::cout && code == 0) {
      throw Error(ErrorKind::system, "cannot write to standard output");
    }
    return code;
  } catch (const BrokenPipe& error) {
    return is_output_closed() ? kClosedPipe : report(error);
  } catch (const Error& error) {
    return watch.met_closed_pipe() ? kClosedPipe : report(error);
  } catch (const std::bad_alloc&) {
    return report("out of memory", exit_code(ErrorKind::memory));
  } catch (const std::filesystem::filesystem_error& error) {
    return report(as_error(error));
  } catch (const std::exception& error) {
    return report(error.what(), 1);
  } catch (...) {
    return report("something was thrown that is no std::exception, as only a plugin does", 1);
  }
}

}  // namespace weft::tools
