#include "framework/nn/model_file.h"

#include <cmath>
#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "framework/io/atomic_file.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

Forward no_forward(Context&, const Model&, const Value&) {
  return {};
}

// A root with two children, one of them with a parameter.
ModelPtr tree(std::optional<std::int64_t> outputs) {
  auto root = std::make_shared<Model>("root", no_forward);
  auto linear = std::make_shared<Model>("linear", no_forward);
  linear->declare_dim("nO");
  if (outputs) linear->set_dim("nO", *outputs);
  linear->declare_param("W", {"nO", "nI"});
  linear->declare_param("b", {"nO"});
  linear->set_attr("columns", List{"NORM", "SHAPE"});
  linear->set_attr("rate", 0.25);
  auto other = std::make_shared<Model>("other", no_forward);
  root->layers() = {linear, other};
  root->set_ref("output", linear);
  root->set_ref("nothing", nullptr);
  return root;
}

ModelPtr filled() {
  ModelPtr root = tree(2);
  root->layers()[0]->set_param("W", Tensor::from<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
  root->layers()[0]->set_param("b", Tensor::from<float>({2}, {7, 8}));
  return root;
}

TEST(ModelFile, ReadsWhatWasWritten) {
  ModelPtr copy = tree(std::nullopt);
  model_from_bytes(*copy, model_to_bytes(*filled()), "model");
  Model& linear = *copy->layers()[0];
  EXPECT_EQ(linear.dim("nO"), 2);
  EXPECT_EQ(linear.dim("nI"), 3);  // from the shape
  EXPECT_EQ(linear.param("W").value.data<float>()[5], 6);
  EXPECT_EQ(linear.param("b").value.data<float>()[1], 8);
  EXPECT_EQ(linear.attr("columns")->as_list()[1].as_string(), "SHAPE");
  EXPECT_EQ(linear.attr("rate")->as_float(), 0.25);
  EXPECT_EQ(model_to_bytes(*copy).size(), model_to_bytes(*filled()).size() + 4);  // nI
}

// A string that grows by doubling has room for up to twice its length.
TEST(ModelFile, TakesItsMemoryOnce) {
  ModelPtr root = tree(2);
  root->layers()[0]->set_param("W", Tensor::zeros({2, 500'000}));
  const std::string bytes = model_to_bytes(*root);
  EXPECT_GT(bytes.size(), 4'000'000U);
  EXPECT_LT(bytes.capacity(), bytes.size() + 10'000);
}

TEST(ModelFile, IsWrittenAsTheSameBytesOrNotAtAll) {
  const std::filesystem::path file =
      std::filesystem::path(::testing::TempDir()) / ("model_file_" + std::to_string(::getpid()));
  const ModelPtr root = filled();
  for (const DType type : {DType::f32, DType::f16}) {
    root->save_as(type);
    write_model(file, *root);
    EXPECT_EQ(read_file(file), model_to_bytes(*root));
  }
  const std::string before = read_file(file);
  root->layers()[0]->param("W").value.data<float>()[5] = NAN;
  EXPECT_THROW(write_model(file, *root), Error);
  EXPECT_EQ(read_file(file), before);
  std::filesystem::remove(file);
}

TEST(ModelFile, RefusesOtherSizesAndOtherTrees) {
  const std::string bytes = model_to_bytes(*filled());
  EXPECT_THROW(model_from_bytes(*tree(4), bytes, "model"), Error);
  EXPECT_THROW(model_from_bytes(*tree(2), bytes + "x", "model"), Error);
  ModelPtr larger = tree(2);
  larger->layers().push_back(std::make_shared<Model>("third", no_forward));
  EXPECT_THROW(model_from_bytes(*larger, bytes, "model"), Error);
}

// The bytes of the weight 4.0 in a file, replaced by others.
std::string with_weight(std::string bytes, float number) {
  const float four = 4.0F;
  const std::string old(reinterpret_cast<const char*>(&four), sizeof four);
  const std::size_t at = bytes.find(old);
  EXPECT_NE(at, std::string::npos);
  return bytes.replace(at, old.size(), reinterpret_cast<const char*>(&number), sizeof number);
}

std::string fault_of(const Model& written, Model& read) {
  try {
    model_from_bytes(read, model_to_bytes(written), "model");
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
}

// An op that reads a parameter without numbers would read beyond its memory.
TEST(ModelFile, HasAllParametersOrNone) {
  const ModelPtr half = tree(2);
  half->layers()[0]->set_param("W", Tensor::from<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(fault_of(*half, *tree(2)), "model  layer 1 (linear): b is missing");
  EXPECT_TRUE(model_from_bytes(*tree(2), model_to_bytes(*filled()), "model"));
  EXPECT_FALSE(model_from_bytes(*tree(2), model_to_bytes(*tree(2)), "model"));
}

TEST(ModelFile, AttributesAreOfTheKindThatTheConfigMakes) {
  const auto with = [](const char* name, Node value) {
    ModelPtr root = filled();
    root->layers()[0]->set_attr(name, std::move(value));
    return root;
  };
  EXPECT_EQ(fault_of(*with("rate", "x"), *tree(2)),
            "model  layer 1 (linear): rate is a string where the config makes it a float");
  EXPECT_EQ(fault_of(*with("columns", 1), *tree(2)),
            "model  layer 1 (linear): columns is an integer where the config makes it a list");
  for (const Node& value : {Node(0.5), Node(1), Node()}) {
    EXPECT_EQ(fault_of(*with("rate", value), *tree(2)), "");
  }
  EXPECT_EQ(fault_of(*with("new", "x"), *tree(2)), "");
  const ModelPtr whole = tree(2);
  model_from_bytes(*whole, model_to_bytes(*with("rate", 1)), "model");
  EXPECT_TRUE(whole->layers()[0]->attr("rate")->is_float());
  const ModelPtr read = tree(2);
  read->layers()[0]->set_fixed_attr("pad", 4);
  EXPECT_EQ(fault_of(*with("pad", 4), *read), "");
  for (const Node& value : {Node(5), Node(-1), Node(), Node(4.0)}) {
    EXPECT_NE(fault_of(*with("pad", value), *read), "") << to_json(value);
  }
  EXPECT_EQ(fault_of(*with("pad", 5), *read),
            "model  layer 1 (linear): pad is 5 where the config makes it 4");
}

TEST(ModelFile, RefusesNotANumber) {
  const std::string bytes = model_to_bytes(*filled());
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    EXPECT_THROW(model_from_bytes(*tree(2), with_weight(bytes, bad), "model"), Error);
  }
  EXPECT_NO_THROW(model_from_bytes(*tree(2), with_weight(bytes, 3e38F), "model"));
}

TEST(ModelFile, WritesNoNumberThatIsNone) {
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    const ModelPtr root = filled();
    root->name_sites("ner");
    root->layers()[0]->param("W").value.data<float>()[3] = bad;
    for (const DType type : {DType::f32, DType::f16, DType::bf16}) {
      root->save_as(type);
      try {
        model_to_bytes(*root);
        FAIL() << bad;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::data);
        EXPECT_EQ(error.message(),
                  "parameter ner/1/linear/W holds a NaN or an infinity: it is not saved");
      }
    }
  }
}

// Finite as it is, an infinity once it is rounded.
TEST(ModelFile, RefusesWhatBf16CannotHold) {
  const ModelPtr root = filled();
  root->name_sites("ner");
  root->layers()[0]->param("W").value.data<float>()[3] = 3.4e38F;
  EXPECT_NO_THROW(model_to_bytes(*root));
  root->save_as(DType::bf16);
  try {
    model_to_bytes(*root);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_NE(error.message().find("ner/1/linear/W"), std::string::npos) << error.message();
  }
}

TEST(ModelFile, RefusesEveryTruncation) {
  const std::string bytes = model_to_bytes(*filled());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(model_from_bytes(*tree(2), bytes.substr(0, size), "model"), Error) << size;
  }
}

TEST(ModelFile, SurvivesEveryChangedByte) {
  const std::string bytes = model_to_bytes(*filled());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const char value : {'\0', '\x7f', '\xc0', '\xdd', '\xff'}) {
      std::string changed = bytes;
      changed[at] = value;
      try {
        model_from_bytes(*tree(2), changed, "model");
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::data);
      }
    }
  }
}

TEST(ModelFile, HoldsRoundedWeightsWhereAskedTo) {
  const ModelPtr model = filled();
  const std::string wide = model_to_bytes(*model);
  model->layers()[0]->param("W").value.data<float>()[0] = 1.0F + 0x1p-12F;
  for (const DType type : {DType::f16, DType::bf16}) {
    std::string bytes;
    {
      const WeightFormat format({model}, type);
      bytes = model_to_bytes(*model);
    }
    EXPECT_LT(bytes.size(), wide.size());
    const ModelPtr copy = tree(2);
    model_from_bytes(*copy, bytes, "model");
    const Tensor& read = copy->layers()[0]->param("W").value;
    EXPECT_EQ(read.dtype(), DType::f32);
    EXPECT_EQ(read.data<float>()[0], 1.0F);
    EXPECT_EQ(read.data<float>()[5], 6.0F);
  }
  EXPECT_EQ(model_to_bytes(*model).size(), wide.size());
}

TEST(ModelFile, RefusesWhatFp16CannotHold) {
  const ModelPtr model = filled();
  model->name_sites("ner");
  model->layers()[0]->param("W").value.data<float>()[3] = 70000.0F;
  model->save_as(DType::f16);
  try {
    model_to_bytes(*model);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "precision: ner/1/linear/W has values beyond 65504; cannot save as fp16 [P031]");
  }
  model->save_as(DType::bf16);
  EXPECT_NO_THROW(model_to_bytes(*model));
}

}  // namespace
}  // namespace weft
