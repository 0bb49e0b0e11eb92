#include "framework/comm/open_engine.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

// Beside the library that this text is in.
fs::path beside_this_library(const std::string& name) {
  Dl_info info{};
  const void* here = reinterpret_cast<const void*>(&beside_this_library);
  if (dladdr(here, &info) == 0 || info.dli_fname == nullptr) return name;
  return fs::absolute(info.dli_fname).parent_path() / name;
}

fs::path library_of(const std::string& engine) {
  if (engine.find('/') != std::string::npos) return engine;
  return beside_this_library("libweft_comm_" + engine + ".so");
}

// The packages behind the engines of weft's own.
std::string advice_for(const std::string& engine) {
  if (engine == "mpi") return "; it is built where Debian's libopenmpi-dev is installed";
  if (engine == "gloo") return "; it is built where Debian's libgloo-dev is installed";
  if (engine == "nccl") return "; it is built where the CUDA toolkit and NCCL are installed";
  return "";
}

struct Opened {
  OpenEngine open = nullptr;
  std::string why_not;
};

// The library stays open until the program ends: threads of it may still run.
Opened open_library(const std::string& engine) {
  const fs::path library = library_of(engine);
  if (!fs::exists(library)) {
    return {nullptr, fmt::format("there is no engine '{}': {} is not there{}", engine,
                                 library.string(), advice_for(engine))};
  }
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* text = dlerror();
    return {nullptr, fmt::format("the engine '{}' cannot be opened: {}", engine,
                                 text == nullptr ? "unknown error" : text)};
  }
  const auto open = reinterpret_cast<OpenEngine>(dlsym(handle, kEngineEntry));
  if (open == nullptr) return {nullptr, library.string() + " is no engine of weft"};
  return {open, ""};
}

bool asks_for_checks() {
  const char* text = std::getenv("WEFT_COMM_CHECK");
#ifdef NDEBUG
  return text != nullptr && *text != '\0' && *text != '0';
#else
  return text == nullptr || *text != '0';
#endif
}

// Engines give up a little later than those that wait for them, whose message says more.
constexpr std::chrono::milliseconds kMargin{2000};

}  // namespace

std::shared_ptr<Communicator> open_communicator(const std::string& engine, const Launch& launch,
                                                const CommOptions& options) {
  const std::string name = engine == "auto" ? launch.engine : engine;
  CommOptions used = options;
  used.check_order = used.check_order || asks_for_checks();
  if (name == "self") {
    if (launch.size > 1) {
      throw Error(
          ErrorKind::usage,
          fmt::format("the engine 'self' is for one rank, and this is one of {}", launch.size));
    }
    return std::make_shared<Communicator>(self_engine(), name, used);
  }
  const Opened opened = open_library(name);
  if (opened.open == nullptr) throw Error(ErrorKind::usage, opened.why_not);
  std::unique_ptr<CommEngine> made(opened.open(launch, options.deadline + kMargin));
  return std::make_shared<Communicator>(std::move(made), name, used);
}

std::string why_no_engine(const std::string& engine) {
  return engine == "self" ? "" : open_library(engine).why_not;
}

}  // namespace weft
