// SPDX-License-Identifier: Zlib
// Files that say what cannot be: meshes, scenes, numbers.
#include <sys/stat.h>

#include "BadInput.h"

namespace pliant::test {
namespace {

TEST_F(BadInput, MissingFile) {
    expectRefused("reduce none.obj" + kReduce, {"none.obj"});
    expectRefused("run none.yaml", {"none.yaml: cannot be read: No such file"});
    expectRefused("info none.pliant", {"none.pliant: cannot be read: No such file", "check the name"});
    expectRefused("import none.cub -o made.pliant", {"none.cub: is not there"});
    expectRefused("reduce none.veg --sketch none.yaml" + kReduce, {"none.yaml: cannot be read"});
}

TEST_F(BadInput, SeveralMistakesAreCounted) {
    write("scene.yaml", "gravty: [0, 0, -1]\nrigid: [{shape: bx, mass: 1}]\n");
    const Outcome outcome = run("run scene.yaml --no-draw");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.errors.size(), 2U) << outcome.problems;
    EXPECT_THAT(outcome.problems, ::testing::EndsWith("    2 mistakes; nothing was run\n"));
}

TEST_F(BadInput, UnknownEnding) {
    write("cow.txt", "v 0 0 0\n");
    expectRefused("reduce cow.txt" + kReduce, {"cow.txt", ".obj", ".veg"});
}

TEST_F(BadInput, EmptyMesh) {
    write("empty.obj", "# nothing\n");
    expectRefused("reduce empty.obj" + kReduce, {"empty.obj", "empty"});
    write("empty.veg", "");
    expectRefused("reduce empty.veg" + kReduce, {"empty.veg"});
}

TEST_F(BadInput, SurfaceThatCannotBeFilled) {
    write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
    expectRefused("reduce open.obj --solid" + kReduce, {"open.obj: cannot be filled", "3 edges", "--thickness"});
}

// Options of the command line have the names of keys where a scene is at fault.
TEST_F(BadInput, ScenesAreToldInTheirOwnWords) {
    write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
    write("scene.yaml", "models:\n  tent: {file: open.obj, reduce: {solid: true}}\nbodies: [{model: tent}]\n");
    const Outcome outcome = run("run scene.yaml --no-draw");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.problems,
                ::testing::HasSubstr("scene.yaml:2:9: model \"tent\": open.obj: cannot be filled (solid: true)"));
    EXPECT_THAT(outcome.problems, ::testing::HasSubstr("thickness says"));
    EXPECT_THAT(outcome.problems, ::testing::Not(::testing::HasSubstr("--")));
}

TEST_F(BadInput, VertexThatIsNotANumber) {
    write("nan.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n");
    expectRefused("reduce nan.obj" + kReduce, {"nan.obj:2"});
    write("nan.veg", cube("1 0 0 0\n2 1 0 0\n3 1 nan 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n"));
    expectRefused("reduce nan.veg" + kReduce, {"nan.veg:5"});
}

const std::string kCorners = "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";

TEST_F(BadInput, InvertedElement) {
    write("inverted.veg", tetrahedra(kCorners, "1 1 3 2 4\n"));
    expectRefused("reduce inverted.veg" + kReduce, {"inverted.veg:10", "inverted"});
}

TEST_F(BadInput, DegenerateElement) {
    write("flat.veg", tetrahedra("1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n", "1 1 2 3 4\n"));
    expectRefused("reduce flat.veg" + kReduce, {"flat.veg:10", "degenerate"});
    write("twice.veg", tetrahedra(kCorners, "1 1 2 2 4\n"));
    expectRefused("reduce twice.veg" + kReduce, {"twice.veg:10", "one vertex stands at two corners"});
}

TEST_F(BadInput, IsolatedVertex) {
    write("lonely.veg", tetrahedra(kCorners + "5 3 3 3\n", "1 1 2 3 4\n"));
    expectRefused("reduce lonely.veg" + kReduce, {"lonely.veg", "vert"});
}

TEST_F(BadInput, ElementIndexOutOfRange) {
    write("range.veg", tetrahedra(kCorners, "1 1 2 3 9\n"));
    expectRefused("reduce range.veg" + kReduce, {"range.veg", "9"});
    write("range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 7\n");
    expectRefused("reduce range.obj" + kReduce, {"range.obj:4", "7"});
}

TEST_F(BadInput, WrongFixedVertices) {
    write("cube.veg", cube());
    write("far.bou", "1, 2, 99\n");
    expectRefused("reduce cube.veg --fixed far.bou" + kReduce, {"far.bou:1", "99"});
    write("words.bou", "one, two\n");
    expectRefused("reduce cube.veg --fixed words.bou" + kReduce, {"words.bou:1", "one"});
    expectRefused("reduce cube.veg --fixed none.bou" + kReduce, {"none.bou"});
    write("all.bou", "1,2,3,4,5,6,7,8\n");
    expectRefused("reduce cube.veg --fixed all.bou" + kReduce, {"all.bou", "every"});
}

TEST_F(BadInput, MoreModesThanDegreesOfFreedom) {
    write("cube.veg", cube());
    expectRefused("reduce cube.veg -o made.pliant --modes 40 --dim 2", {"40", "modes"});
}

TEST_F(BadInput, MoreThanSixZeroModes) {
    // two tetrahedra that share an edge turn about it
    write("hinge.veg", tetrahedra(kCorners + "5 0 -1 0\n6 0.2 0 -1\n", "1 1 2 3 4\n2 1 2 5 6\n"));
    expectRefused("reduce hinge.veg" + kReduce, {"hinge.veg"});
}

TEST_F(BadInput, PoissonRatioOneHalf) {
    write("cube.veg", cube());
    expectRefused("reduce cube.veg --poisson 0.5" + kReduce, {"Poisson", "0.5"});
    write("water.veg", cube("1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n",
                            "1 1 2 3 4 5 6 7 8\n", "0.5"));
    expectRefused("reduce water.veg" + kReduce, {"water.veg", "oisson", "0.5"});
}

TEST_F(BadInput, UnknownKeyInAScene) {
    write("scene.yaml", "gravty: [0, 0, -9.81]\n");
    expectRefused("run scene.yaml", {"scene.yaml:1:1", "unknown key \"gravty\"", "did you mean \"gravity\"?"});
}

TEST_F(BadInput, WrongTypeInAScene) {
    write("scene.yaml", "time:\n  duration: long\n");
    expectRefused("run scene.yaml", {"scene.yaml:2:13", "duration must be a number"});
}

TEST_F(BadInput, NegativeSizeInAScene) {
    write("scene.yaml", "rigid:\n  - {shape: sphere, radius: -1}\n");
    expectRefused("run scene.yaml", {"scene.yaml:2:29", "radius is -1"});
}

TEST_F(BadInput, DamagedModelInAScene) {
    write("cow.pliant", "not a model");
    write("scene.yaml", "models: {cow: {file: cow.pliant}}\nbodies: [{model: cow}]\n");
    expectRefused("run scene.yaml --no-draw", {"scene.yaml:1:", "cow.pliant"});
}

TEST_F(BadInput, StrainRateDampingOfAModelWithoutIt) {
    write("cube.veg", cube());
    ASSERT_EQ(run("reduce cube.veg" + kReduce).code, 0);
    write("scene.yaml",
          "models:\n  crate: {file: made.pliant, damping: {strain_rate: 0.01}}\nbodies: [{model: crate}]\n");
    expectRefused("run scene.yaml --no-draw",
                  {"scene.yaml:2:",
                   "model \"crate\": damping: strain_rate is asked for, and the model has no strain-rate "
                   "damping; make it by `pliant reduce --strain-rate`"});
    ASSERT_EQ(run("reduce cube.veg --strain-rate" + kReduce).code, 0);
    EXPECT_EQ(run("run scene.yaml --no-draw --frames 1").code, 0);
}

TEST_F(BadInput, ReducedCoordinatesThatDoNotFit) {
    write("cube.veg", cube());
    ASSERT_EQ(run("reduce cube.veg" + kReduce).code, 0);
    write("three.json", "[1, 2, 3]");
    expectRefused("eval made.pliant --q three.json", {"three.json", "3 numbers", "r = 2"});
    write("words.json", "[1, \"two\"]");
    expectRefused("eval made.pliant --q words.json", {"words.json", "entry 1"});
    write("broken.json", "[1, ");
    expectRefused("eval made.pliant --q broken.json", {"broken.json", "not JSON"});
    ASSERT_EQ(::mkfifo((m_folder / "pipe.json").c_str(), 0600), 0);  // nobody will ever write to it
    expectRefused("eval made.pliant --q pipe.json", {"pipe.json: is not a plain file"});
}

}  // namespace
}  // namespace pliant::test
