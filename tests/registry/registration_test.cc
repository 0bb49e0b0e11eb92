#include "registry/functions/registration.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "registry/functions/catalogue.h"

namespace weft_test {

struct Ramp {
  double start = 0;
  double step = 0;
};

enum class Shape { linear, cosine };
constexpr auto enum_names(Shape) {
  return std::array{"linear", "cosine"};
}

struct RampSettings {
  double start = 0;
  double step = 0.5;
  std::optional<int> limit;
  Shape shape = Shape::cosine;
  std::vector<std::string> tags = {"a"};
};

template <class V>
void fields(V& v, RampSettings& c) {
  v.required("start", c.start, "first value");
  v("step", c.step, "added each time", weft::range(0.0, 1.0));
  v("limit", c.limit, "how many");
  v("shape", c.shape, "how it grows");
  v("tags", c.tags, "labels");
}

// A product that may be nothing: as a pointer, and as its traits say.
using RampPtr = std::shared_ptr<Ramp>;
struct Walk {
  std::function<void()> step;
};

}  // namespace weft_test

template <>
struct weft::ProductTraits<weft_test::RampPtr> {
  static constexpr std::string_view kind = "test_numbers", name = "ramp";
};
template <>
struct weft::ProductTraits<weft_test::Walk> {
  static constexpr std::string_view kind = "test_numbers", name = "walk";
  static bool is_nothing(const weft_test::Walk& walk) { return !walk.step; }
};
template <>
struct weft::ProductTraits<weft_test::Ramp> {
  static constexpr std::string_view kind = "test_ramps", name = "ramp";
};

namespace weft_test {
namespace {

Ramp ramp(const RampSettings& c) {
  return {c.start, c.step};
}
int seven() {
  return 7;
}

const weft::Registration kRamp = weft::Registration{"ramp.v1", ramp, "a ramp"}.meta(R"({"a": 1})");
RampPtr no_ramp() {
  return nullptr;
}
Walk no_walk() {
  return {};
}
Walk walk() {
  return {[] {}};
}
const weft::Registration kNoRamp{"no_ramp.v1", no_ramp, "makes none"};
const weft::Registration kNoWalk{"no_walk.v1", no_walk, "makes none"};
const weft::Registration kWalk{"walk.v1", walk, "makes one"};
const weft::Registration kSeven{"test_numbers", "seven.v1", seven, "a number"};

weft::Catalogue own_catalogue() {
  weft::Catalogue catalogue;
  catalogue.add(weft::Registration::head(), "tests");
  return catalogue;
}

TEST(Registration, ListsTheFunctionsOfThisLibraryAlone) {
  const weft::Catalogue catalogue = own_catalogue();
  EXPECT_EQ(catalogue.names("test_ramps"), std::vector<std::string>{"ramp.v1"});
  EXPECT_EQ(catalogue.find("test_ramps", "ramp.v1")->library(), "tests");
  EXPECT_EQ(catalogue.find("test_ramps", "nope.v1"), nullptr);
}

TEST(Registration, AFunctionThatMakesNothingIsNamed) {
  const weft::Catalogue catalogue = own_catalogue();
  weft::Arguments none;
  EXPECT_NO_THROW(catalogue.find("test_numbers", "walk.v1")->call(none));
  for (const std::string name : {"no_ramp.v1", "no_walk.v1"}) {
    try {
      catalogue.find("test_numbers", name)->call(none);
      ADD_FAILURE() << name;
    } catch (const weft::Error& error) {
      EXPECT_EQ(error.kind(), weft::ErrorKind::config);
      EXPECT_TRUE(error.message().starts_with(name + " made nothing")) << error.message();
    }
  }
}

TEST(Registration, DescribesTheFields) {
  const weft::Catalogue catalogue = own_catalogue();
  const weft::Function& function = *catalogue.find("test_ramps", "ramp.v1");
  const weft::Signature& signature = function.signature();
  ASSERT_EQ(signature.parameters.size(), 5u);
  EXPECT_TRUE(signature.find("start")->required());
  EXPECT_EQ(signature.find("step")->range.str(), "0 <= x < 1");
  EXPECT_TRUE(signature.find("limit")->default_value->is_null());
  EXPECT_EQ(signature.find("limit")->type.str(), "integer or null");
  EXPECT_EQ(signature.find("shape")->default_value->as_string(), "cosine");
  EXPECT_EQ(signature.find("tags")->type.str(), "list of strings");
  EXPECT_EQ(function.result().str(), "ramp");
  EXPECT_EQ(function.meta().as_object().find("a")->as_integer(), 1);
}

TEST(Registration, CallsWithTheArguments) {
  const weft::Catalogue catalogue = own_catalogue();
  weft::Arguments arguments;
  arguments.set("start", weft::Node(2.0));
  const weft::Argument made = catalogue.find("test_ramps", "ramp.v1")->call(arguments);
  ASSERT_TRUE(made.is_product());
  EXPECT_EQ(made.product().get<Ramp>()->start, 2.0);
  EXPECT_EQ(made.product().get<Ramp>()->step, 0.5);
  EXPECT_EQ(made.product().get<int>(), nullptr);
}

TEST(Registration, PlainResultsAreData) {
  const weft::Catalogue catalogue = own_catalogue();
  weft::Arguments none;
  EXPECT_EQ(catalogue.find("test_numbers", "seven.v1")->call(none).data().as_integer(), 7);
}

// An entry of the kind `layers`, of a library.
weft::Function layer(const char* library, weft::Function::Call call) {
  weft::Function function("layers", "later.v1", library, weft::Signature(), weft::Type::any(),
                          std::move(call));
  function.set_library(library);
  return function;
}
weft::Argument make(weft::Arguments&) {
  return weft::Node(1);
}

TEST(Catalogue, AReservedNameIsSuppliedByAnotherLibraryInEitherOrder) {
  weft::Catalogue first;
  first.add(layer("libweft", {}));
  const weft::Function& reserved = *first.find("layers", "later.v1");
  EXPECT_FALSE(reserved.built());
  first.add(layer("acme 1.0", make));
  EXPECT_EQ(reserved.library(), "libweft") << "who found it before may go on with it";
  weft::Catalogue second;
  second.add(layer("acme 1.0", make));
  second.add(layer("libweft", {}));
  for (const weft::Catalogue& catalogue : {first, second}) {
    EXPECT_TRUE(catalogue.find("layers", "later.v1")->built());
    EXPECT_EQ(catalogue.find("layers", "later.v1")->library(), "acme 1.0");
    EXPECT_EQ(catalogue.names("layers").size(), 1U);
  }
}

TEST(Catalogue, AReservedNameIsSuppliedOnceAndNotByTheLibraryThatReservesIt) {
  weft::Catalogue catalogue;
  catalogue.add(layer("libweft", {}));
  EXPECT_THROW(catalogue.add(layer("libweft", make)), weft::Error);
  EXPECT_THROW(catalogue.add(layer("acme 1.0", {})), weft::Error);
  catalogue.add(layer("acme 1.0", make));
  EXPECT_THROW(catalogue.add(layer("other 2.0", make)), weft::Error);
}

TEST(Catalogue, ADuplicateNamesBothLibraries) {
  weft::Catalogue catalogue = own_catalogue();
  try {
    catalogue.add(weft::Registration::head(), "acme 1.0");
    FAIL();
  } catch (const weft::Error& error) {
    EXPECT_EQ(error.kind(), weft::ErrorKind::plugin);
    const std::string what = error.what();
    EXPECT_NE(what.find("acme 1.0"), what.npos);
    EXPECT_NE(what.find("tests"), what.npos);
  }
}

TEST(Catalogue, SeedsAreToldToAllThatFollow) {
  weft::Catalogue catalogue;
  std::int64_t sum = 0;
  for (int i = 0; i < 2; ++i) catalogue.on_seed([&](std::int64_t number) { sum += number; });
  const weft::Catalogue copy = catalogue;
  copy.seed(7);
  EXPECT_EQ(sum, 14);
}

TEST(Catalogue, OldNamesFallBackToTheLegacyOnes) {
  weft::Catalogue catalogue;
  catalogue.add(weft::Function("layers", "spacy-legacy.Old.v1", "", weft::Signature(),
                               weft::Type::any(), {}));
  ASSERT_NE(catalogue.find("layers", "spacy.Old.v1"), nullptr);
  EXPECT_EQ(catalogue.find("layers", "spacy.Old.v1")->name(), "spacy-legacy.Old.v1");
  EXPECT_EQ(catalogue.find("layers", "Old.v1"), nullptr);
}

}  // namespace
}  // namespace weft_test
