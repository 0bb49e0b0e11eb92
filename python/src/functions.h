// Functions that Python registered, as functions of a catalogue. One file per kind of product makes
// it of what the Python function gives.
#pragma once

#include <string>

#include <nanobind/nanobind.h>

#include "held.h"

#include "framework/pipeline/callback.h"
#include "framework/pipeline/scores.h"
#include "framework/training/augmenter.h"
#include "framework/training/batcher.h"
#include "framework/training/logger.h"
#include "framework/training/reader.h"
#include "registry/functions/catalogue.h"

namespace weft::python {

// Adds everything in `weft.registry`. Takes the GIL. Throws Error(plugin) where a name is taken.
void add_python_functions(Catalogue& catalogue);

// The way out where a config names a function that is in spaCy's registry alone; else "". Takes the
// GIL.
std::string hint_for(const std::string& function);

// The signature of weft.registry.Function.parameters. Under the GIL.
Signature signature_of_python(nb::handle parameters);

// A value of a block as Python's: data, an object that Python made, or one of C++ that Python can
// call. Under the GIL.
nb::object argument_to_python(const Argument& argument);

// The fault of a function whose result is to be handed to one of Python: "" for data, schedules and
// all that Python itself made.
std::string fault_for_python(const Function& function);

// The object of Python that a product was made of, for other functions of Python; empty for
// products of C++.
Held source_of(const Logger& logger);
Held source_of(const Reader& reader);
Held source_of(const BatcherPtr& batcher);
Held source_of(const Scorer& scorer);
Held source_of(const Callback& callback);
Held source_of(const Augmenter& augmenter);

// An object of Python that is no product of a kind: what functions of `misc` give.
struct PythonValue {
  Held object;
};
inline ProductType value_type(bool callable) {
  return ProductType::named<PythonValue>("object of Python", callable);
}

// ---- products; `made` is what the function gave, `where` names it in messages. Under the GIL.
Argument make_logger(const Held& made, const std::string& where);
Argument make_reader(const Held& made, const std::string& where);
Argument make_schedule(const Held& made, const std::string& where);
Argument make_batcher(const Held& made, const std::string& where);
Argument make_scorer(const Held& made, const std::string& where);
Argument make_callback(const Held& made, const std::string& where);
Argument make_augmenter(const Held& made, const std::string& where);
Argument make_value(const Held& made, const std::string& where);

// Throws TypeError for what cannot be called: "the logger my.v1 made 3, not a function ...".
void require_callable(const Held& made, const std::string& where, const char* wanted);

}  // namespace weft::python
