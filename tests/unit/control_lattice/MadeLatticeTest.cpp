// SPDX-License-Identifier: Zlib
// Lattices made for rigs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <random>

#include "BarLattice.h"
#include "pliant/control_lattice/Delaunay.h"
#include "pliant/control_lattice/LatticeBones.h"
#include "pliant/control_lattice/MakeControlLattice.h"
#include "pliant/math/Error.h"
#include "pliant/rig/gltf/ReadRig.h"
#include "pliant/runtime/lattice/LatticeBatch.h"

namespace pliant::test {
namespace {

using testing::HasSubstr;

double volumeOf(const Points& x, const Matrix<int, 4, Eigen::Dynamic>& t, Eigen::Index e) {
    Matrix3 edges;
    for (int k = 1; k < 4; ++k) edges.col(k - 1) = x.col(t(k, e)) - x.col(t(0, e));
    return edges.determinant() / 6.0;
}

/// No point lies in the sphere around any of the tetrahedra, which fill the hull: the unit cube.
TEST(Delaunay, SpheresAreEmptyAndTheHullIsFull) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(0.0, 1.0);
    Points x(3, 60);
    for (int k = 0; k < 60; ++k)
        for (int i = 0; i < 3; ++i) x(i, k) = k < 8 ? (k >> i) & 1 : number(random);
    const auto t = delaunay(x, "points");
    double volume = 0.0;
    for (Eigen::Index e = 0; e < t.cols(); ++e) {
        EXPECT_GT(volumeOf(x, t, e), 0.0);
        volume += volumeOf(x, t, e);
        Matrix3 A;
        Vector3 b;
        for (int k = 1; k < 4; ++k) {
            A.row(k - 1) = 2.0 * (x.col(t(k, e)) - x.col(t(0, e))).transpose();
            b[k - 1] = x.col(t(k, e)).squaredNorm() - x.col(t(0, e)).squaredNorm();
        }
        const Vector3 centre = A.inverse() * b;
        const double radius = (x.col(t(0, e)) - centre).norm();
        EXPECT_GE((x.colwise() - centre).colwise().norm().minCoeff(), radius * (1.0 - 1e-9));
    }
    EXPECT_NEAR(volume, 1.0, 1e-12);
}

TEST(Delaunay, TellsWhatQhullSays) {
    try {
        delaunay(Points::Zero(3, 8), "fox.glb");
        FAIL() << "all points at one place";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("fox.glb: Qhull finds no tetrahedra: "));
    }
}

std::string media(const char* name) {
    return std::string(PLIANT_MEDIA_DIR "/characters/") + name;
}

TEST(MadeLattice, EnclosesTheCharactersOfTheMedia) {
    for (const char* name : {"bar.glb", "worm.glb", "quadruped.glb"}) {
        const RigFile file = readRig(media(name));
        const ControlLattice lattice = makeControlLattice(file.rig, {}, name);
        ControlLattice checked = lattice;
        EXPECT_EQ(checkControlLattice(checked, name), 0);
        EXPECT_NO_THROW(findLatticeBones(lattice, file.rig, 1e-9, name));
        LatticeOptions options;
        options.depth = 1;
        LatticeReport report;
        const auto model = makeLatticeModel(file.rig, lattice, options, name, &report);
        std::printf("%s: %d cells, %d vertices; %d functions, %d held, %d tied, %d regions, %.3f kg\n", name,
                    static_cast<int>(lattice.cells.size()), static_cast<int>(lattice.positions.cols()),
                    report.functions, report.held, report.tied, report.regions, report.mass);
        // The surface at rest is where the file has it, and encloses the flesh's volume.
        LatticeBatch batch(model, {});
        std::vector<MovingFrame> bones;
        motionOf(model->skeleton, bindPose(model->skeleton), bones);
        batch.add(bones);
        Points now;
        batch.surface(0, now);
        EXPECT_LE((now - file.rig.surface.positions).cwiseAbs().maxCoeff(), 1e-9);
        double volume = 0.0;
        for (Eigen::Index t = 0; t < file.rig.surface.triangles.cols(); ++t) {
            const auto v = file.rig.surface.triangles.col(t);
            Matrix3 corners;
            for (int k = 0; k < 3; ++k) corners.col(k) = file.rig.surface.positions.col(v[k]);
            volume += corners.determinant() / 6.0;
        }
        EXPECT_NEAR(report.mass, 1000.0 * volume, 100.0 * volume) << "cut by distance on coarse cells";
        for (int k = 0; k < 60; ++k) batch.step(1.0 / 60.0, {0}, {0, -9.81, 0}, Workers(1));
        EXPECT_EQ(batch.status(0), LatticeStatus::Ok);
        batch.surface(0, now);
        const double size = (now.rowwise().maxCoeff() - now.rowwise().minCoeff()).norm();
        EXPECT_LE((now - file.rig.surface.positions).cwiseAbs().maxCoeff(), 0.05 * size) << "sags a little";
    }
}

TEST(MadeLattice, LimbsOutsideAreNamed) {
    const RigFile file = readRig(media("quadruped.glb"));
    ControlLattice lattice = makeControlLattice(file.rig, {}, "fox");
    Rig rig = file.rig;
    std::vector<testing::Matcher<std::string>> feet;
    for (Eigen::Index s = 0; s < rig.surface.positions.cols(); ++s)
        if (rig.surface.positions(1, s) < rig.surface.positions.row(1).minCoeff() * 0.9) {
            rig.surface.positions(1, s) -= 5.0;
            const auto bone = static_cast<std::size_t>(rig.weights.bones(0, s));
            feet.push_back(HasSubstr("fox.vtu: bone \"" + rig.skeleton.bones[bone].name + "\""));
        }
    try {
        makeLatticeModel(rig, lattice, {}, "fox.vtu");
        FAIL() << "a foot stands out";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("stands out of the control lattice"));
        EXPECT_THAT(std::string(error.what()), testing::AnyOfArray(feet));
    }
}

}  // namespace
}  // namespace pliant::test
