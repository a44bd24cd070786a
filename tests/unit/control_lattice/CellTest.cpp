// SPDX-License-Identifier: Zlib
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "SampleLattice.h"
#include "pliant/control_lattice/CellTopology.h"
#include "pliant/control_lattice/LatticeBones.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

using testing::HasSubstr;

std::string refusal(const std::function<void()>& act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

std::string refusalOf(ControlLattice lattice) {
    return refusal([&] { checkControlLattice(lattice, "fox.vtu"); });
}

TEST(ControlCell, CornersHaveThreeEdgesAndFacesFitThem) {
    for (const CellKind kind : {CellKind::Tetrahedron, CellKind::Prism, CellKind::Hexahedron}) {
        const CellTopology& t = topologyOf(kind);
        EXPECT_EQ(t.corners - static_cast<int>(t.edges.size()) + static_cast<int>(t.faces.size()), 2) << "Euler";
        EXPECT_EQ(2 * static_cast<int>(t.edges.size()), 3 * t.corners) << "three edges a vertex";
        std::size_t sides = 0;
        for (const auto& face : t.faces) sides += face.size();
        EXPECT_EQ(sides, 2 * t.edges.size()) << "two faces an edge";
        ControlLattice lattice = oneCell(kind);
        EXPECT_EQ(checkControlLattice(lattice, "cell"), 0) << "right-handed at every corner";
    }
}

TEST(ControlCell, MirroredOnesAreTurnedRound) {
    for (const CellKind kind : {CellKind::Tetrahedron, CellKind::Prism, CellKind::Hexahedron}) {
        ControlLattice lattice = oneCell(kind);
        lattice.positions.row(0) *= -1.0;
        EXPECT_EQ(checkControlLattice(lattice, "cell"), 1);
        EXPECT_EQ(checkControlLattice(lattice, "cell"), 0);
    }
}

TEST(ControlCell, PyramidsAreRefused) {
    EXPECT_THAT(refusal([] { cellOfCorners(5, "fox.vtu: cell 3"); }), HasSubstr("fox.vtu: cell 3: it is a pyramid"));
    EXPECT_THAT(refusal([] { cellOfCorners(7, "fox.vtu: cell 3"); }), HasSubstr("7 corners"));
}

TEST(ControlCell, BadOnesAreNamed) {
    ControlLattice folded = threeKinds();
    folded.positions.col(10) = Vector3(0.5, 0.5, 1.3);
    EXPECT_THAT(refusalOf(folded), "accepted") << "that only mirrors the tetrahedron";
    folded = threeKinds();
    folded.positions.col(6) = Vector3(-1, -1, 1);
    EXPECT_THAT(refusalOf(folded), HasSubstr("fox.vtu: cell 0: it is folded"));
    ControlLattice flat = oneCell(CellKind::Tetrahedron);
    flat.positions.col(3) = (flat.positions.col(0) + flat.positions.col(1) + flat.positions.col(2)) / 3.0;
    EXPECT_THAT(refusalOf(flat), HasSubstr("cell 0: it is flat"));
    ControlLattice missing = threeKinds();
    missing.cells[1].corners[2] = 40;
    EXPECT_THAT(refusalOf(missing), HasSubstr("cell 1: vertex 40 does not exist"));
    ControlLattice loose = threeKinds();
    loose.cells.pop_back();
    EXPECT_THAT(refusalOf(loose), HasSubstr("vertex 10 of the control lattice belongs to no cell"));
    ControlLattice thrice = threeKinds();
    thrice.cells.push_back(thrice.cells[2]);
    thrice.cells.push_back(thrice.cells[2]);
    EXPECT_THAT(refusalOf(thrice), HasSubstr("belongs to two other cells"));
    ControlLattice infinite = threeKinds();
    infinite.positions(0, 0) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(refusalOf(infinite), HasSubstr("not finite"));
    EXPECT_THAT(refusalOf(ControlLattice{}), HasSubstr("no cells"));
}

/// One bone from vertex 0 to vertex 4, along an edge of the hexahedron.
Rig boneAlong(const Vector3& from, const Vector3& to) {
    Rig rig;
    rig.skeleton.bones.resize(1);
    rig.skeleton.bones[0].name = "leg";
    rig.skeleton.bones[0].bind.translation = from;
    rig.skeleton.bones[0].ends = {to};
    rig.weights.bones.setZero(4, 1);
    rig.weights.weights.setZero(4, 1);
    rig.weights.weights(0, 0) = 1.0;
    return rig;
}

TEST(LatticeBones, LieAlongEdges) {
    const ControlLattice lattice = threeKinds();
    const LatticeBones bones = findLatticeBones(lattice, boneAlong({0, 0, 0}, {0, 0, 1}), 1e-9, "fox.vtu");
    EXPECT_EQ(bones.edges, (std::vector<std::array<int, 2>>{{0, 4}}));
    EXPECT_EQ(bones.boneOf, (std::vector<int>{0, -1, -1, -1, 0, -1, -1, -1, -1, -1, -1}));
    EXPECT_THAT(refusal([&] {
                    findLatticeBones(lattice, boneAlong({0, 0, 0}, {0, 0, 1.5}), 1e-9, "fox.vtu");
                }),
                HasSubstr("fox.vtu: bone \"leg\": one of its ends is no vertex"));
    EXPECT_THAT(refusal([&] {
                    findLatticeBones(lattice, boneAlong({0, 0, 0}, {1, 1, 1.2}), 1e-9, "fox.vtu");
                }),
                HasSubstr("bone \"leg\": between vertices 0 and 6 it runs through a cell"));
}

}  // namespace
}  // namespace pliant::test
