// How a run is to be carried out: all that the command line says and the config does not.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

#include "framework/comm/launch.h"

namespace weft {

struct TrainOptions {
  std::filesystem::path output = {};  // "": nothing is saved
  int threads = 1;                    // never part of a result
  int gpu = -1;                       // the GPU to train on; -1: the CPU
  // The columns of the terminal behind `err`, now; with it a progress line is drawn there.
  std::function<int()> progress_width = {};
  std::function<bool()> interrupted = {};  // often; true ends the run
  std::function<void()> started = {};      // called before the first step
  std::filesystem::path resume_from = {};  // a checkpoint to go on from
  Launch launch = {};                      // this process's place among several ranks
  std::string plugins = {};                // names, versions and hashes of those that are loaded
  bool err_is_terminal = false;
  // Everything but training: see dry_run.h. The result is printed to `out`, nothing is saved.
  bool dry_run = false;
  bool starts_again = false;  // an earlier run with this output ended before its first checkpoint
  bool precision_debug = false;  // look for the layer of every overflow, not only of repeated ones
  bool verbose = false;          // tell of every growth of the loss scale
  bool allow_mixed_hardware = false;  // ranks on other kinds of processor than that of rank 0
  bool overwrite = false;             // files that loggers name may be there already
  // Where each rank, not only the first, tells that it still waits for the others.
  std::ostream* waits = nullptr;
};

}  // namespace weft
