// The tree of layers: dimensions, parameters, references, copies.
#include "framework/nn/model.h"

#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "tests/framework/nn/waiting_rows.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ModelPtr node(const std::string& name) {
  return std::make_shared<Model>(name, [](Context&, const Model&, const Value& x) {
    return Forward{x, {}};
  });
}

// a ── b ── d
//   └─ c ── d    (the same node twice)
struct Tree {
  ModelPtr a = node("a"), b = node("b"), c = node("c"), d = node("d");
  Tree() {
    a->layers() = {b, c};
    b->layers() = {d};
    c->layers() = {d};
  }
};

template <class Action>
std::string error_of(Action&& action, ErrorKind kind) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.message();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST(Model, DimensionsAreSetOnceAndThenHaveToAgree) {
  const ModelPtr model = node("linear");
  EXPECT_FALSE(model->has_dim("nO"));
  EXPECT_THAT(error_of([&] { model->dim("nO"); }, ErrorKind::internal), HasSubstr("nO"));
  model->declare_dim("nO");
  EXPECT_FALSE(model->has_dim("nO"));
  model->set_dim("nO", 4);
  model->set_dim("nO", 4);
  EXPECT_EQ(model->dim("nO"), 4);
  const std::string message = error_of([&] { model->set_dim("nO", 5); }, ErrorKind::config);
  EXPECT_THAT(message, HasSubstr("linear"));
  EXPECT_THAT(message, HasSubstr("is 4 and cannot become 5"));
  model->replace_dim("nO", 5);
  EXPECT_EQ(model->dim("nO"), 5);
  model->replace_dim("nI", 2);
  ASSERT_EQ(model->dims().size(), 2U);
  EXPECT_EQ(model->dims()[1].first, "nI");
}

TEST(Model, EveryWriteOfAParameterIsANewVersion) {
  const ModelPtr model = node("linear");
  EXPECT_THAT(error_of([&] { model->param("W"); }, ErrorKind::internal), HasSubstr("W"));
  Parameter& weight = model->declare_param("W", {"nO", "nI"});
  EXPECT_EQ(&model->declare_param("W"), &weight);
  EXPECT_EQ(weight.axes.size(), 2U);
  const std::uint64_t before = weight.version;
  model->set_param("W", Tensor::zeros({1, 2}));
  EXPECT_EQ(weight.version, before + 1);
  EXPECT_EQ(model->params().size(), 1U);
}

TEST(Model, WalksBreadthFirstAndMeetsEachNodeOnce) {
  Tree tree;
  std::vector<std::string> names;
  for (const Model* one : tree.a->walk()) names.push_back(one->name());
  EXPECT_THAT(names, ElementsAre("a", "b", "c", "d"));
}

TEST(Model, ReferencesDoNotKeepNodesAlive) {
  const ModelPtr model = node("parser");
  EXPECT_FALSE(model->has_ref("upper"));
  model->set_ref("upper", nullptr);
  EXPECT_FALSE(model->has_ref("upper"));
  EXPECT_THAT(error_of([&] { model->ref("upper"); }, ErrorKind::internal), HasSubstr("upper"));
  {
    const ModelPtr upper = node("linear");
    model->set_ref("upper", upper);
    EXPECT_TRUE(model->has_ref("upper"));
    EXPECT_EQ(&model->ref("upper"), upper.get());
  }
  EXPECT_FALSE(model->has_ref("upper"));
  EXPECT_EQ(model->refs().size(), 1U);
}

TEST(Model, ACloneHasNodesAndParametersOfItsOwn) {
  Tree tree;
  tree.d->set_param("W", Tensor::from<float>({1}, {3.0F}));
  tree.d->set_dim("nO", 1);
  tree.d->set_attr("rate", 0.5);
  tree.a->set_ref("last", tree.d);
  tree.a->set_part("deepest", tree.d);
  tree.a->set_path_name("chain");
  const ModelPtr outside = node("elsewhere");
  tree.a->set_ref("outside", outside);
  const ModelPtr copy = tree.a->clone();
  Model& d = *copy->walk().at(3);
  EXPECT_NE(&d, tree.d.get());
  EXPECT_EQ(&copy->ref("last"), &d);
  EXPECT_EQ(copy->layers()[0]->layers()[0], copy->layers()[1]->layers()[0]);  // still one node
  EXPECT_FALSE(copy->has_ref("outside"));
  EXPECT_EQ(&copy->part("deepest"), &d);
  EXPECT_EQ(copy->path_name(), "chain");
  EXPECT_EQ(d.dim("nO"), 1);
  EXPECT_EQ(d.attr("rate")->as_float(), 0.5);
  d.param("W").value.data<float>()[0] = 7.0F;
  EXPECT_EQ(tree.d->param("W").value.data<float>()[0], 3.0F);
}

TEST(Model, ACloneHasRowsThatWaitedToBeChanged) {
  Tree tree;
  tree.d->set_param("W", Tensor::from<float>({1}, {3.0F}));
  Parameter& weight = tree.d->param("W");
  weight.deferred =
      std::make_shared<testing::WaitingRows>(weight, Tensor::from<float>({1}, {8.0F}));
  const ModelPtr copy = tree.a->clone();
  EXPECT_EQ(copy->walk().at(3)->param("W").value.data<float>()[0], 8.0F);
}

TEST(Model, PartsAreNoReferences) {
  Tree tree;
  tree.a->set_part("middle", tree.b);
  EXPECT_EQ(&tree.a->part("middle"), tree.b.get());
  EXPECT_TRUE(tree.a->refs().empty());  // which model files hold
  EXPECT_THAT(error_of([&] { tree.a->part("upper"); }, ErrorKind::internal), HasSubstr("upper"));
}

TEST(Model, ANodeIsReplacedWhereverItIsNamed) {
  Tree tree;
  tree.a->set_ref("middle", tree.b);
  tree.a->set_part("middle", tree.b);
  tree.a->set_ref("last", tree.d);
  const Model* old = std::exchange(tree.b, nullptr).get();  // the tree alone keeps it alive
  const ModelPtr other = node("other");
  tree.a->replace(*old, other);
  EXPECT_EQ(tree.a->layers()[0], other);
  EXPECT_EQ(tree.a->layers()[1], tree.c);
  EXPECT_EQ(&tree.a->ref("middle"), other.get());
  EXPECT_EQ(&tree.a->part("middle"), other.get());
  EXPECT_EQ(&tree.a->ref("last"), tree.d.get());
}

// A span categorizer's reference stands at its root, and its listener further down.
TEST(Model, AReferenceLeadsToTheNewNodeOfAChildFurtherDown) {
  Tree tree;
  const ModelPtr root = node("root");
  root->layers() = {tree.a};
  root->set_ref("middle", tree.b);
  root->set_part("middle", tree.b);
  const Model* old = std::exchange(tree.b, nullptr).get();
  const ModelPtr other = node("other");
  root->replace(*old, other);
  EXPECT_EQ(tree.a->layers()[0], other);
  EXPECT_EQ(&root->ref("middle"), other.get());
  EXPECT_EQ(&root->part("middle"), other.get());
}

TEST(Model, SitesCountNodesAndPathsNameThem) {
  Tree tree;
  tree.a->name_sites("ner");
  EXPECT_EQ(tree.a->site(), "ner/0/a");
  EXPECT_EQ(tree.d->site(), "ner/3/d");
  EXPECT_EQ(tree.a->path(), "components.ner.model");
  EXPECT_THAT(tree.d->path(), HasSubstr("components.ner.model."));
  EXPECT_NE(tree.b->path(), tree.c->path());
}

TEST(Model, InitialisesChildrenWithWhatTheOnesBeforeGive) {
  std::vector<std::int64_t> widths;
  const auto widening = [&widths](std::int64_t width) {
    return std::make_shared<Model>(
        "widen",
        [width](Context& ctx, const Model&, const Value& x) {
          return Forward{ctx.zeros({as_tensor(x).dim(0), width}), {}};
        },
        [&widths](Context&, Model&, const Value& input, const Value&, InitRandom&) {
          widths.push_back(as_tensor(input).dim(1));
        });
  };
  const ModelPtr chain = node("chain");
  chain->layers() = {widening(3), widening(5), widening(2)};
  Context ctx;
  InitRandom random(0);
  chain->initialize(ctx, Tensor::zeros({1, 7}), Value(), random);
  EXPECT_THAT(widths, ElementsAre(7, 3, 5));
}

TEST(InitRandom, EveryParameterHasAStreamOfItsOwnThatTheSeedDecides) {
  InitRandom one(1), same(1), other(2);
  const float first = one.next().uniform(0), second = one.next().uniform(0);
  EXPECT_NE(first, second);
  EXPECT_EQ(same.next().uniform(0), first);
  EXPECT_EQ(same.next().uniform(0), second);
  EXPECT_NE(other.next().uniform(0), first);
}

}  // namespace
}  // namespace weft
