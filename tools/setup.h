// What commands do before and around their work: the catalogue, the device, messages.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "registry/base/problem.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"
#include "tools/command_line.h"

namespace weft::tools {

// Everything built in, and the plugins of --code.
Catalogue load_catalogue(const CommandLine& line);

// Throws Error(device) if --gpu-id asks for a GPU that cannot be used.
void check_device(const CommandLine& line);

// Errors, warnings and notes of a config that are shown; further ones are counted.
inline constexpr std::int64_t kMostProblems = 100;

// Warnings and notes go to standard error, one per line; throws Error(config) if there are errors.
void settle(const Problems& problems);

// Reads, overrides and fills the config at `file`; lists the overrides if --verbose was given.
// Throws Error(config) with all problems if there are errors.
Config load_config(const CommandLine& line, const std::filesystem::path& file,
                   const Catalogue& catalogue);

// Writes the config as `write_output` does, in the dialect that the ending of `dialect` names, or
// as `.cfg`. On standard output, values with characters that a terminal must not get are written
// with the dialect's escapes. Throws Error(config) for what the dialect cannot hold.
void write_config(const Config& config, const std::filesystem::path& dialect,
                  const std::filesystem::path& file);

// To the file, or to standard output where it is "" or "-".
void write_output(const std::filesystem::path& file, const std::string& text);

}  // namespace weft::tools
