// Training on a Ray cluster. The Python package weft-ray (tools/ray) places and watches the ranks;
// this command checks its words, finds the package and hands over to it.
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "registry/base/error.h"
#include "tools/command_line.h"
#include "tools/commands.h"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

// The exit codes of kCheck; another one means that Python itself failed.
constexpr int kHasBoth = 0, kHasNoPackage = 10, kHasNoRay = 11;
constexpr const char* kCheck =
    "import importlib.util as u, sys\n"
    "sys.exit(10 if not u.find_spec('weft_ray') else 11 if not u.find_spec('ray') else 0)";

// The one whose packages are also searched for pipelines (framework/pipeline/find_pipeline.h).
std::string active_python() {
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const char* const prefix = std::getenv(variable);
    if (prefix != nullptr && *prefix != '\0') return std::string(prefix) + "/bin/python3";
  }
  return "python3";
}

// Returns only where the program cannot be run.
void become(Words words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(arguments.front(), arguments.data());
}

// Without a word of its own; gives the exit code.
int run_check(const std::string& python) {
  const pid_t pid = ::fork();
  if (pid < 0) throw Error(ErrorKind::system, "no process can be started");
  if (pid == 0) {
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
    become({python, "-c", kCheck});
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

void require_package(const std::string& python) {
  const int code = run_check(python);
  if (code == kHasBoth) return;
  const char* lack = "cannot be run";
  if (code == kHasNoPackage) lack = "has no package weft-ray";
  if (code == kHasNoRay) lack = "has no package ray";
  throw Error(ErrorKind::usage,
              fmt::format("the active Python, {}, {}; `weft ray train` needs both: "
                          "`python3 -m pip install tools/ray` in weft's sources installs them",
                          python, lack));
}

// This program, as the ranks start it; Python's own where this is a part of it.
std::string own_program() {
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  return !unknown && program.filename() == "weft" ? program.string() : "weft";
}

// The words of the package's own, then `--` and those that every rank's `weft train` gets.
Words words_for_package(const CommandLine& line) {
  Words words;
  if (!line.text("CONFIG").empty()) words.push_back(line.text("CONFIG"));
  for (const auto& [name, otherwise, least] :
       {std::tuple("n-workers", 1, 1), std::tuple("threads", 1, 1),
        std::tuple("max-restarts", 0, 0), std::tuple("wait", 300, 0)}) {
    words.push_back(std::string("--") + name);
    words.push_back(std::to_string(line.number_within(name, otherwise, least)));
  }
  for (const char* name : {"output", "address"}) {
    if (line.has(name)) words.push_back(fmt::format("--{}={}", name, line.text(name)));
  }
  for (const char* name : {"resume", "overwrite"}) {
    if (line.has(name)) words.push_back(std::string("--") + name);
  }
  words.push_back("--weft=" + own_program());
  words.emplace_back("--");
  for (const char* name : {"code", "pipelines"}) {
    for (const std::string& text : line.texts(name)) {
      words.push_back(fmt::format("--{}={}", name, text));
    }
  }
  for (const char* name : {"precision-debug", "allow-mixed-hardware", "profile", "verbose"}) {
    if (line.has(name)) words.push_back(std::string("--") + name);
  }
  const Words& overrides = line.override_words();
  words.insert(words.end(), overrides.begin(), overrides.end());
  return words;
}

void accept_options(CommandLine& line) {
  line.positional("CONFIG", "the config, .cfg or .toml; with --resume the run's own if left out",
                  false);
  line.option("n-workers,n", "N", "ranks that train together; 1 by default");
  line.option("address,a", "HOST:PORT", "the Ray cluster; RAY_ADDRESS, else Ray runs here alone");
  line.option("max-restarts", "N", "go on so often from the checkpoint after a rank was lost");
  line.option("threads", "N", "threads of each rank, and CPUs that it reserves; 1 by default");
  line.option("wait", "SECONDS", "how long to wait for CPUs of the cluster; 300 by default");
  line.option("output,o", "DIR",
              "where the pipelines go, on a file system that all machines share");
  line.flag("overwrite", "replace what an earlier run left in DIR");
  line.flag("resume", "go on from DIR/checkpoint; from the beginning if none was reached");
  line.flag("profile", "time every op, and say at the end what each op and layer took");
  line.flag("precision-debug", "name the layer of every gradient overflow, at the price of a pass");
  line.flag("allow-mixed-hardware", "let ranks run on other processors, and give up equal bytes");
  line.accept_code();
  line.accept_pipelines();
  line.accept_overrides();
}

}  // namespace

int run_ray_train(const Words& words) {
  CommandLine line("ray train CONFIG [options]",
                   "Trains the pipeline of a config on a Ray cluster; needs the Python package "
                   "weft-ray.",
                   "weft ray train train.cfg --paths.train train.spacy --paths.dev dev.spacy "
                   "--output out --n-workers 2");
  accept_options(line);
  if (!line.parse(words)) return 0;
  if (line.text("CONFIG").empty() && !line.has("resume")) {
    throw Error(ErrorKind::usage, "CONFIG is missing");
  }
  const Words of_package = words_for_package(line);
  const std::string python = active_python();
  require_package(python);
  Words all = {python, "-m", "weft_ray"};
  all.insert(all.end(), of_package.begin(), of_package.end());
  std::cout.flush();
  become(all);
  throw Error(ErrorKind::system, fmt::format("{} cannot be run", python));
}

}  // namespace weft::tools
