// Marks what the shared libraries offer to others. Everything else stays hidden, so that a plugin
// and the program can never disagree about who owns a symbol.
#pragma once

#define WEFT_API __attribute__((visibility("default")))
