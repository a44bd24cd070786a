// SPDX-License-Identifier: Zlib
// Frequencies of a long cylinder of flesh held at its core (character/CoreFrequencyTest.cpp tells the formulae), on a
// lattice of prisms around the axis and hexahedra around them, as its bone has them in a step: by the matrices of the
// region.
#include <Eigen/Dense>
#include <cmath>
#include <cstdio>

#include "../character/BarCharacter.h"
#include "RegionFrequency.h"
#include "pliant/control_lattice/MakeLatticeModel.h"

namespace pliant::test {
namespace {

constexpr double height = 1.2, outer = 0.1;  // m, long beside its radius
constexpr int layers = 2;

struct Cylinder {
    ControlLattice lattice;
    Rig rig;
};

Cylinder cylinder(double core, int fine) {
    const int rings = 1 + fine, around = 12 * fine;
    const auto at = [&](int layer, int ring, int sector) {
        return layer * (1 + rings * around) + (ring == 0 ? 0 : 1 + (ring - 1) * around + sector % around);
    };
    Cylinder made;
    Points& x = made.lattice.positions;
    x.resize(3, (layers + 1) * (1 + rings * around));
    for (int l = 0; l <= layers; ++l)
        for (int i = 0; i <= rings; ++i)
            for (int s = 0; s < (i == 0 ? 1 : around); ++s) {
                const double r = i == 0 ? 0.0 : core + (outer - core) * (i - 1) / fine, angle = 2 * M_PI * s / around;
                x.col(at(l, i, s)) = Vector3(r * std::cos(angle), r * std::sin(angle), height * l / layers);
            }
    std::vector<Eigen::Vector3i> sides;
    for (int l = 0; l < layers; ++l)
        for (int s = 0; s < around; ++s) {
            made.lattice.cells.push_back(
                {CellKind::Prism,
                 {at(l, 0, 0), at(l, 1, s), at(l, 1, s + 1), at(l + 1, 0, 0), at(l + 1, 1, s), at(l + 1, 1, s + 1)}});
            for (int i = 1; i < rings; ++i)
                made.lattice.cells.push_back(
                    {CellKind::Hexahedron,
                     {at(l, i, s), at(l, i + 1, s), at(l, i + 1, s + 1), at(l, i, s + 1), at(l + 1, i, s),
                      at(l + 1, i + 1, s), at(l + 1, i + 1, s + 1), at(l + 1, i, s + 1)}});
            sides.emplace_back(at(l, rings, s), at(l, rings, s + 1), at(l + 1, rings, s + 1));
            sides.emplace_back(at(l, rings, s), at(l + 1, rings, s + 1), at(l + 1, rings, s));
        }
    for (int s = 0; s < around; ++s) {
        sides.emplace_back(at(0, 0, 0), at(0, rings, s + 1), at(0, rings, s));
        sides.emplace_back(at(layers, 0, 0), at(layers, rings, s), at(layers, rings, s + 1));
    }
    made.rig.surface.positions = x;
    made.rig.surface.triangles.resize(3, static_cast<Eigen::Index>(sides.size()));
    for (std::size_t t = 0; t < sides.size(); ++t)
        made.rig.surface.triangles.col(static_cast<Eigen::Index>(t)) = sides[t];
    made.rig.skeleton.bones.resize(1);
    made.rig.skeleton.bones[0].name = "axis";
    made.rig.skeleton.bones[0].ends = {Vector3(0, 0, height)};
    made.rig.weights.bones.setZero(4, x.cols());
    made.rig.weights.weights.setZero(4, x.cols());
    made.rig.weights.weights.row(0).setOnes();
    return made;
}

/// The first root k of J_m(ka) Y_(m+1)(kb) = J_(m+1)(kb) Y_m(ka), as a frequency in Hz.
double besselFrequency(double m, double a) {
    const auto f = [&](double k) {
        return std::cyl_bessel_j(m, k * a) * std::cyl_neumann(m + 1, k * outer) -
               std::cyl_bessel_j(m + 1, k * outer) * std::cyl_neumann(m, k * a);
    };
    double low = 1.0;
    while (f(low) * f(low + 0.1) > 0.0) low += 0.1;
    double high = low + 0.1;
    for (int i = 0; i < 60; ++i) (f(low) * f(0.5 * (low + high)) > 0.0 ? low : high) = 0.5 * (low + high);
    return low * std::sqrt(2.0e4 / 2.6 / 1000.0) / (2 * M_PI);
}

struct Frequencies {
    double along = 0.0, about = 0.0;  ///< Hz
};

Frequencies frequenciesOf(double core, int fine) {
    const Cylinder made = cylinder(core, fine);
    LatticeOptions options;
    options.material = ElasticMaterial{"flesh", 1000.0, 2.0e4, 0.3};
    options.depth = 1;
    options.globalLinear = true;
    // The surface is a polygon, which the bone is a little nearer to than the cylinder.
    options.core = 1.0001 * core / (outer * std::cos(M_PI / (12 * fine)));
    const auto model = makeLatticeModel(made.rig, made.lattice, options, "cylinder");
    const LatticeOperator& all = model->regions[0].cells;
    const Eigen::Index n = model->functionCount();
    Eigen::VectorXd along(3 * n), about(3 * n);
    std::vector<Eigen::Index> freeAlong, freeAbout;
    for (Eigen::Index a = 0; a < n; ++a) {
        const Vector3 x = model->rest.col(a);
        along.segment<3>(3 * a) = Vector3::UnitZ();
        about.segment<3>(3 * a) = Vector3(-x.y(), x.x(), 0.0);
        const bool held = model->boneOf[static_cast<std::size_t>(a)] >= 0;
        EXPECT_EQ(held, x.head<2>().norm() < core + 1e-6);
        if (held) continue;
        freeAlong.push_back(3 * a + 2);  // an infinite cylinder does not bulge
        for (int k = 0; k < 3; ++k) freeAbout.push_back(3 * a + k);
    }
    return {frequency(all, freeAlong, along), frequency(all, freeAbout, about)};
}

/// The error falls with the square of the cells' width, and what two lattices extrapolate to is right.
void expectFrequencies(double core, double knownAlong, double knownAbout) {
    const double along = besselFrequency(0, core), about = besselFrequency(1, core);
    EXPECT_NEAR(along, knownAlong, 1e-3);
    EXPECT_NEAR(about, knownAbout, 1e-3);
    const Frequencies coarse = frequenciesOf(core, 2), fine = frequenciesOf(core, 4);
    std::printf("core %.2f: along %.4f %.4f (%.4f), about %.4f %.4f (%.4f) Hz\n", core, coarse.along, fine.along, along,
                coarse.about, fine.about, about);
    EXPECT_NEAR((4.0 * fine.along - coarse.along) / 3.0, along, 0.004 * along);
    EXPECT_NEAR((4.0 * fine.about - coarse.about) / 3.0, about, 0.004 * about);
    EXPECT_NEAR(std::log2((coarse.along - along) / (fine.along - along)), 2.0, 0.25);
    EXPECT_NEAR(std::log2((coarse.about - about) / (fine.about - about)), 2.0, 0.25);
}

TEST(LatticeFrequency, OfAThinCore) {
    expectFrequencies(0.03, 7.722, 4.204);
}

TEST(LatticeFrequency, OfAThickCore) {
    expectFrequencies(0.05, 12.013, 8.710);
}

}  // namespace
}  // namespace pliant::test
