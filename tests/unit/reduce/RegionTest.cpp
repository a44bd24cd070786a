// SPDX-License-Identifier: Zlib
// Parts of a body that are held or have a material of their own, by place and by name.
#include <gmock/gmock.h>

#include <set>

#include "InputMeshes.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/reduce/ReadInput.h"
#include "pliant/reduce/Reduce.h"

namespace {

using namespace pliant;
using testing::HasSubstr;

/// A bar of 4 x 1 x 1 with its lower end at x = 0; each end is a group and has a material, the sides are "skin".
const char* const barText =
    "mtllib bar.mtl\n"
    "v 0 0 0\nv 4 0 0\nv 4 1 0\nv 0 1 0\nv 0 0 1\nv 4 0 1\nv 4 1 1\nv 0 1 1\n"
    "o the bar\ng low\nusemtl red\nf 1 5 8 4\ng high far\nusemtl blue\nf 2 3 7 6\n"
    "g\nusemtl skin\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 4 8 7 3\n";

class Regions : public ::testing::Test {
protected:
    void SetUp() override {
        m_folder.write("bar.mtl", "newmtl red\nnewmtl blue\nnewmtl skin\n");
        m_input = m_folder.write("bar.obj", barText);
        m_options.voxels = 8;  // bricks of 0.5: 8 x 2 x 2
        m_options.solid = true;
        m_options.modes = 3;
        m_options.dimension = 5;
    }
    ReductionInput read() const { return readInput(m_input, m_options); }
    std::string complaint() const {
        try {
            read();
        } catch (const Error& problem) {
            return problem.what();
        }
        return "nothing was refused";
    }
    void hold(const std::string& text) { m_options.hold.push_back(BodyRegion::parse(text)); }
    void region(const std::string& text) { m_options.regions.push_back(MaterialRegion::parse(text)); }
    /// x of the held vertices' layers, in half units.
    std::multiset<int> heldLayers() const {
        const ReductionInput input = read();
        std::multiset<int> layers;
        for (const int v : input.fixedVertices)
            layers.insert(static_cast<int>(std::lround(2.0 * input.mesh.positions(0, v) / m_options.metresPerUnit)));
        return layers;
    }
    static std::multiset<int> layers(std::initializer_list<int> which) {
        std::multiset<int> all;
        for (const int layer : which)
            for (int i = 0; i < 9; ++i) all.insert(layer);
        return all;
    }
    test::InputFolder m_folder;
    std::string m_input;
    ReduceOptions m_options;
};

TEST_F(Regions, BoxHoldsTheVerticesInIt) {
    hold("box=0,0,0,0.6,1,1");
    EXPECT_EQ(heldLayers(), layers({0, 1}));
    EXPECT_TRUE(reduceFile(m_input, m_options)->anchored);
}

TEST_F(Regions, SphereAndHalfSpaceHoldTheVerticesInThem) {
    hold("halfspace=2,0,0,0");  // x <= 0, of a normal with any length
    EXPECT_EQ(heldLayers(), layers({0}));
    m_options.hold.clear();
    hold("sphere=4,0.5,0.5,0.5");  // in the layer x = 4: its middle and the four at 0.5 from it
    EXPECT_EQ(heldLayers(), (std::multiset<int>{7, 8, 8, 8, 8, 8}));
}

TEST_F(Regions, SeveralAreAUnion) {
    hold("box=0,0,0,0,1,1");
    hold("halfspace=-1,0,0,-4");
    EXPECT_EQ(heldLayers(), layers({0, 8}));
}

TEST_F(Regions, NumbersAreInTheUnitOfTheInput) {
    m_options.metresPerUnit = 0.01;
    hold("halfspace=1,0,0,0.7");
    EXPECT_EQ(heldLayers(), layers({0, 1}));
}

TEST_F(Regions, NamesHoldTheBricksWithSurfaceOfThatName) {
    for (const char* text : {"material=red", "group=low"}) {
        m_options.hold.clear();
        hold(text);
        EXPECT_EQ(heldLayers(), layers({0, 1})) << text;  // corners of the first layer of bricks
    }
    m_options.hold.clear();
    hold("group=far");  // one of two names
    EXPECT_EQ(heldLayers(), layers({7, 8}));
}

// Bricks of a filled surface fit its box, so that those of a plate are flat; they were looked for as if they were
// cubes.
TEST_F(Regions, NamesHoldTheFlatBricksOfPlatesAtAnyAngle) {
    m_options.voxels = 40;
    Matrix3 Q;
    Q << 0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6;
    for (const Matrix3& axes : {Matrix3(Matrix3::Identity()), Q}) {
        std::string text;
        for (const double z : {0.0, 0.03})
            for (const double y : {0.0, 0.93})
                for (const double x : {0.0, 4.0}) {
                    const Vector3 at = axes * Vector3(x, y, z);
                    text +=
                        "v " + std::to_string(at[0]) + " " + std::to_string(at[1]) + " " + std::to_string(at[2]) + "\n";
                }
        text += "g sides\nf 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\ng low\nf 1 5 7 3\ng high\nf 2 4 8 6\n";
        m_input = m_folder.write("plate.obj", text);
        for (const double end : {0.0, 4.0}) {
            m_options.hold = {BodyRegion::parse(end == 0.0 ? "group=low" : "group=high")};
            const ReductionInput input = read();
            EXPECT_EQ(input.fixedVertices.size(), 44u);  // two layers of 11 x 2: ten bricks across
            for (const int v : input.fixedVertices)
                EXPECT_NEAR((axes.transpose() * input.mesh.positions.col(v))[0], end, 0.101);
        }
    }
}

// A surface of 3 bricks in y fills the middle of a lattice that is as wide as its bounding box or wider: what sticks
// out of the box counts as on it.
TEST_F(Regions, BricksThatStickOutOfTheBoxCountAsOnIt) {
    m_options.voxels = 5;  // of 0.8: two layers in y and z reach from -0.3 to 1.3
    hold("box=0,0,0,0.1,1,1");
    EXPECT_EQ(read().fixedVertices.size(), 9u);
}

TEST_F(Regions, MaterialOfASimulationMeshHoldsItsElements) {
    VolumeMesh mesh = test::bricks(3, 1, 1, Vector3::Ones(), [](int, int, int) { return true; });
    mesh.materials.push_back(ElasticMaterial{"end", 500.0, 1e5, 0.3});
    mesh.elementMaterial[2] = 1;
    m_input = m_folder.file("three.veg");
    writeVeg(mesh, m_input);
    hold("material=end");
    const ReductionInput input = read();
    ASSERT_EQ(input.fixedVertices.size(), 8u);
    for (const int v : input.fixedVertices) EXPECT_GE(input.mesh.positions(0, v), 2.0);
    m_options.fixedVertices = m_folder.write("first.bou", "1\n");
    EXPECT_EQ(read().fixedVertices.size(), 9u);
    m_options.hold.front() = BodyRegion::parse("group=end");
    EXPECT_THAT(complaint(), HasSubstr("three.veg has no group of that name; it has no groups"));
}

TEST_F(Regions, BricksGetTheMaterialOfTheLastRegionThatHoldsThem) {
    region("soft:young=1e4:box=0,0,0,2,1,1");
    region("heavy:density=5000,poisson=0.2:group=low");
    const ReductionInput input = read();
    ASSERT_EQ(input.mesh.materials.size(), 3u);
    EXPECT_EQ(input.mesh.materials[1].name, "soft");
    EXPECT_EQ(input.mesh.materials[1].youngsModulus, 1e4);
    EXPECT_EQ(input.mesh.materials[1].density, input.mesh.materials[0].density);
    EXPECT_EQ(input.mesh.materials[2].density, 5000.0);
    EXPECT_EQ(input.mesh.materials[2].youngsModulus, input.mesh.materials[0].youngsModulus);
    EXPECT_EQ(input.mesh.materials[2].poissonRatio, 0.2);
    for (int e = 0; e < input.mesh.elementCount(); ++e) {
        const double x = input.mesh.positions(0, input.mesh.elements(0, e)) + 0.25;
        const int expected = x < 0.5 ? 2 : x < 2.0 ? 1 : 0;
        EXPECT_EQ(input.mesh.elementMaterial[static_cast<std::size_t>(e)], expected) << x;
    }
    // 4 of 32 bricks of 0.125 m^3 weigh 5000 kg/m^3, the others 1000. The lattice is longer than the body by
    // 2e-9 of it along each axis (VoxelGrid); shares of what the surface fills then move that much between bricks of
    // 1000 and 5000 kg/m^3: 6e-9 of the volume, at the heavy end five times its mean density of 1500 kg/m^3 and less.
    EXPECT_NEAR(reduceFile(m_input, m_options)->totalMass(), 6000.0, 6e-9 * 5000.0 / 1500.0 * 6000.0);
}

TEST_F(Regions, MaterialsOfTheWholeSurfaceLeaveNoneOfTheBody) {
    m_options.solid = false;
    region("left:young=1e5:halfspace=1,0,0,2");
    region("right:young=2e5:halfspace=-1,0,0,-2");
    const ReductionInput input = read();
    ASSERT_EQ(input.mesh.materials.size(), 2u);
    EXPECT_EQ(input.mesh.materials[0].name, "left");
    EXPECT_EQ(input.mesh.elementMaterial.front(), 0);
    EXPECT_EQ(input.mesh.elementMaterial.back(), 1);
}

TEST_F(Regions, RefusalsNameTheRegionTheBodyAndTheCure) {
    hold("box=5,5,5,6,6,6");
    EXPECT_EQ(
        complaint(),
        "region \"box=5,5,5,6,6,6\": it holds no vertex of the simulation mesh: the body reaches from (0, 0, 0) to "
        "(4, 1, 1) in bricks of 0.5; move or enlarge it");
    m_options.hold.front() = BodyRegion::parse("halfspace=0,0,1,9");
    EXPECT_EQ(
        complaint(),
        "region \"halfspace=0,0,1,9\": every one of the 81 vertices would be held: the body reaches from (0, 0, 0) "
        "to (4, 1, 1) in bricks of 0.5; leave some of them free");
    m_options.hold.front() = BodyRegion::parse("material=green");
    EXPECT_THAT(complaint(), HasSubstr("bar.obj has no material of that name; its materials are: blue, red, skin"));
    m_options.hold.front() = BodyRegion::parse("group=middle");
    EXPECT_THAT(complaint(), HasSubstr("bar.obj has no group of that name; its groups are: far, high, low, the bar"));
    m_options.hold.clear();
    m_options.fixedVertices = m_folder.write("a.bou", "1,2,3\n");
    EXPECT_THAT(complaint(), HasSubstr("a.bou: its numbers would be those of corners of bricks, which are made of the "
                                       "surface and shown to nobody; hold by place or name: --hold box="));
}

TEST_F(Regions, MaterialsRefuseWhatMeansNothing) {
    region("a:young=1e5:sphere=9,9,9,1");
    EXPECT_THAT(complaint(), HasSubstr("it holds the centre of no brick: the body reaches from (0, 0, 0)"));
    m_options.regions.clear();
    region("a:young=1e5:halfspace=0,0,1,1");
    EXPECT_THAT(complaint(), HasSubstr("it holds every one of the 32 bricks"));
    m_options.regions.clear();
    region("a:young=1e5:box=0,0,0,1,1,1");
    region("b:young=2e5:box=0,0,0,2,1,1");
    EXPECT_THAT(complaint(), HasSubstr("region \"a:young=1e+05:box=0,0,0,1,1,1\": later regions hold every one"));
    std::swap(m_options.regions[0], m_options.regions[1]);
    m_options.regions[1].name = "b";
    EXPECT_THAT(complaint(), HasSubstr("there is another material \"b\" with other constants"));
    m_options.regions.resize(1);
    m_input = m_folder.file("l.veg");
    writeVeg(test::lopsidedBricks(), m_input);
    EXPECT_THAT(complaint(), HasSubstr("l.veg: regions are for surfaces"));
}

TEST_F(Regions, TextsThatAreNone) {
    const auto told = [](const std::string& text, bool material) {
        try {
            material ? MaterialRegion::parse(text).check() : BodyRegion::parse(text).check();
        } catch (const Error& problem) {
            return std::string(problem.what());
        }
        return std::string("nothing was refused");
    };
    EXPECT_THAT(told("ball=1", false),
                HasSubstr("region \"ball=1\": it says neither where nor what it is; write box="));
    EXPECT_THAT(told("box=0,0,0,1,1", false),
                HasSubstr("a box needs 6 numbers, it has 5; write box=x0,y0,z0,x1,y1,z1"));
    EXPECT_THAT(told("box=0,0,0,1,1,x", false), HasSubstr("\"x\" is not a number"));
    EXPECT_THAT(told("box=0,0,0,1,1,nan", false), HasSubstr("NaN or infinite"));
    EXPECT_THAT(told("box=0,0,0,1,-1,1", false), HasSubstr("the first corner is above the second"));
    EXPECT_THAT(told("sphere=0,0,0,0", false), HasSubstr("the radius must be above zero"));
    EXPECT_THAT(told("halfspace=0,0,0,1", false), HasSubstr("the normal has no length"));
    EXPECT_THAT(told("material=", false), HasSubstr("the name is missing"));
    EXPECT_THAT(told("steel:box=0,0,0,1,1,1", true), HasSubstr("it is not NAME:CONSTANTS:WHERE"));
    EXPECT_THAT(told("steel:stiff=1:group=a", true), HasSubstr("\"stiff=1\" is no constant of a material"));
    EXPECT_THAT(told("steel::group=a", true), HasSubstr("no constant differs from the body's"));
    EXPECT_THAT(told("steel:poisson=0.5:group=a", true), HasSubstr("Poisson's ratio must lie between"));
    EXPECT_EQ(MaterialRegion::parse("a:young=2e5,density=300:group=x:y").text(), "a:young=2e+05,density=300:group=x:y");
}

TEST_F(Regions, OptionsAndHashTellThemApart) {
    ReduceOptions other = m_options;
    EXPECT_EQ(m_options.canonical().find("hold"), std::string::npos);
    hold("group=a;b");
    region("c:young=1e5:material=d");
    EXPECT_THAT(m_options.canonical(), HasSubstr(";hold=group=a%3Bb;region=c:young="));
    EXPECT_NE(m_options.canonical(), other.canonical());
}

}  // namespace
