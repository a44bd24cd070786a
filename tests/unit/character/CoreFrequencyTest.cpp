// SPDX-License-Identifier: Zlib
// A long cylinder of flesh held at its core has frequencies that Bessel's functions tell. Along the bone and about it,
// the flesh of shear modulus G between the radii a and b has
//
//     u_z:     J0(ka) Y1(kb) = J1(kb) Y0(ka),      u_theta: J1(ka) Y2(kb) = J2(kb) Y1(ka),      f = k sqrt(G / rho) / 2
//     pi.
//
// With b = 0.1 m, G = 7692 Pa (E = 20 kPa, nu = 0.3), 1000 kg/m^3 and a = 0.03 m: 7.722 Hz and 4.204 Hz; with a = 0.05
// m: 12.013 Hz and 8.710 Hz.
#include <array>
#include <cmath>
#include <cstdio>

#include "BarCharacter.h"
#include "pliant/character/BoneCores.h"
#include "pliant/fem/FullModel.h"
#include "pliant/fem/Restriction.h"
#include "pliant/fem/SymmetricSolver.h"

namespace pliant::test {
namespace {

constexpr double height = 1.2;  // m, long beside its radius

/// A cylinder about z of radius 0.1: rings at the core's radius and evenly on both sides of it, cut to tetrahedra.
struct CylinderMesh {
    VolumeMesh mesh;
    Rig rig;  ///< one bone along the axis
};

int ringVertex(int rings, int around, int layer, int ring, int sector) {
    return layer * (1 + rings * around) + (ring == 0 ? 0 : 1 + (ring - 1) * around + (sector + around) % around);
}

/// The five prisms' halves: three tetrahedra of a triangular prism with the corners a0 b0 c0 below a1 b1 c1, cut along
/// the diagonals of its lowest vertices so that neighbours fit.
void addPrism(std::array<int, 6> p, std::vector<std::array<int, 4>>& tets) {
    // Rotate so that the smallest vertex is p[0]; the two faces at it are cut from it.
    int lowest = 0;
    for (int i = 1; i < 6; ++i)
        if (p[static_cast<std::size_t>(i)] < p[static_cast<std::size_t>(lowest)]) lowest = i;
    if (lowest >= 3) std::swap(p[0], p[3]), std::swap(p[1], p[4]), std::swap(p[2], p[5]), lowest -= 3;
    std::rotate(p.begin(), p.begin() + lowest, p.begin() + 3);
    std::rotate(p.begin() + 3, p.begin() + 3 + lowest, p.end());
    if (std::min(p[1], p[5]) < std::min(p[2], p[4]))
        tets.insert(tets.end(), {{p[0], p[1], p[2], p[5]}, {p[0], p[1], p[5], p[4]}, {p[0], p[4], p[5], p[3]}});
    else
        tets.insert(tets.end(), {{p[0], p[1], p[2], p[4]}, {p[0], p[4], p[2], p[5]}, {p[0], p[4], p[5], p[3]}});
}

void orient(VolumeMesh& mesh) {
    for (Eigen::Index e = 0; e < mesh.elements.cols(); ++e) {
        const Vector3 a = mesh.positions.col(mesh.elements(0, e));
        const Vector3 ab = mesh.positions.col(mesh.elements(1, e)) - a,
                      ac = mesh.positions.col(mesh.elements(2, e)) - a;
        const Vector3 ad = mesh.positions.col(mesh.elements(3, e)) - a;
        if (ab.dot(ac.cross(ad)) < 0.0) std::swap(mesh.elements(2, e), mesh.elements(3, e));
    }
}

/// @param fine rings outside of the core; twice as many corners a ring as there is room for
CylinderMesh cylinder(double core, int fine) {
    const int inner = 2, rings = inner + fine, around = 12 * fine, layers = 4;
    std::vector<double> radii = {0.0};
    for (int i = 1; i <= inner; ++i) radii.push_back(core * i / inner);
    for (int i = 1; i <= fine; ++i) radii.push_back(core + (0.1 - core) * i / fine);
    CylinderMesh made;
    VolumeMesh& mesh = made.mesh;
    mesh.kind = ElementKind::Tetrahedron;
    mesh.positions.resize(3, (layers + 1) * (1 + rings * around));
    for (int l = 0; l <= layers; ++l)
        for (int i = 0; i <= rings; ++i)
            for (int s = 0; s < (i == 0 ? 1 : around); ++s) {
                const double angle = 2 * M_PI * s / around, r = radii[static_cast<std::size_t>(i)];
                mesh.positions.col(ringVertex(rings, around, l, i, s)) =
                    Vector3(r * std::cos(angle), r * std::sin(angle), height * l / layers);
            }
    std::vector<std::array<int, 4>> tets;
    const auto v = [&](int l, int i, int s) { return ringVertex(rings, around, l, i, s); };
    for (int l = 0; l < layers; ++l)
        for (int s = 0; s < around; ++s)
            for (int i = 0; i < rings; ++i) {
                addPrism({v(l, i, s), v(l, i + 1, s), v(l, i + 1, s + 1), v(l + 1, i, s), v(l + 1, i + 1, s),
                          v(l + 1, i + 1, s + 1)},
                         tets);
                if (i > 0)
                    addPrism({v(l, i, s), v(l, i + 1, s + 1), v(l, i, s + 1), v(l + 1, i, s), v(l + 1, i + 1, s + 1),
                              v(l + 1, i, s + 1)},
                             tets);
            }
    mesh.elements.resize(4, static_cast<Eigen::Index>(tets.size()));
    for (std::size_t e = 0; e < tets.size(); ++e)
        for (std::size_t c = 0; c < 4; ++c)
            mesh.elements(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(e)) = tets[e][c];
    orient(mesh);
    mesh.elementMaterial.assign(tets.size(), 0);
    mesh.materials.resize(1);
    mesh.materials[0].youngsModulus = 2.0e4;
    mesh.materials[0].poissonRatio = 0.3;
    made.rig.surface = boundarySurface(mesh);
    made.rig.skeleton.bones.resize(1);
    made.rig.skeleton.bones[0].name = "axis";
    made.rig.skeleton.bones[0].ends = {Vector3(0, 0, height)};
    made.rig.weights.bones.setZero(4, made.rig.surface.positions.cols());
    made.rig.weights.weights.setZero(4, made.rig.surface.positions.cols());
    made.rig.weights.weights.row(0).setOnes();
    return made;
}

/// The softest motion that `start` leads to by inverse iteration, Hz.
double frequency(const FullModel& full, const Restriction& free, const VectorX& start) {
    SymmetricSolver solver(SymmetricSolver::Kind::PositiveDefinite);
    const SparseMatrix K = free.reduced(full.restStiffness()), M = free.reduced(full.massMatrix());
    solver.factor(K);
    VectorX u = free.reduced(start);
    for (int i = 0; i < 12; ++i) u = (solver.solve(VectorX(M * u))).normalized();
    return std::sqrt(u.dot(K * u) / u.dot(M * u)) / (2 * M_PI);
}

/// The first root k of J_m(ka) Y_(m+1)(kb) = J_(m+1)(kb) Y_m(ka), as a frequency in Hz; b = 0.1 m.
double besselFrequency(double m, double a) {
    const auto f = [&](double k) {
        return std::cyl_bessel_j(m, k * a) * std::cyl_neumann(m + 1, k * 0.1) -
               std::cyl_bessel_j(m + 1, k * 0.1) * std::cyl_neumann(m, k * a);
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

/// Held by the pipeline's own core.
Frequencies frequenciesOf(double core, int fine) {
    const CylinderMesh made = cylinder(core, fine);
    std::vector<std::string> notes;
    // The surface of the mesh is a polygon, which the bone is a little nearer to than the cylinder.
    const double share = 1.0001 * core / (0.1 * std::cos(M_PI / (12 * fine)));
    const BoneCores cores = boneCores(made.rig, made.mesh, share, "cylinder", notes);
    EXPECT_EQ(static_cast<int>(cores.held.size()), 5 * (1 + 2 * 12 * fine)) << "what is within the core";
    const FullModel full(made.mesh);
    VectorX along(full.degreesOfFreedom()), about(full.degreesOfFreedom());
    std::vector<int> heldAlong, heldAbout;
    for (int v = 0; v < made.mesh.vertexCount(); ++v) {
        const Vector3 x = made.mesh.positions.col(v);
        along.segment<3>(3 * v) = Vector3::UnitZ();
        about.segment<3>(3 * v) = Vector3(-x.y(), x.x(), 0.0);
        const bool held = cores.boneOf[static_cast<std::size_t>(v)] >= 0;
        for (int k = 0; k < 3; ++k) {
            if (held || k < 2) heldAlong.push_back(3 * v + k);  // an infinite cylinder does not bulge
            if (held) heldAbout.push_back(3 * v + k);
        }
    }
    return {frequency(full, Restriction(full.degreesOfFreedom(), heldAlong), along),
            frequency(full, Restriction(full.degreesOfFreedom(), heldAbout), about)};
}

void expectFrequencies(double core, double knownAlong, double knownAbout) {
    const double along = besselFrequency(0, core), about = besselFrequency(1, core);
    EXPECT_NEAR(along, knownAlong, 1e-3);
    EXPECT_NEAR(about, knownAbout, 1e-3);
    const Frequencies coarse = frequenciesOf(core, 3), fine = frequenciesOf(core, 6);
    std::printf("core %.2f: along %.4f %.4f (%.4f), about %.4f %.4f (%.4f) Hz\n", core, coarse.along, fine.along, along,
                coarse.about, fine.about, about);
    // Linear elements: the error falls with the square of the width, and what two meshes extrapolate to is right.
    EXPECT_NEAR((4.0 * fine.along - coarse.along) / 3.0, along, 0.003 * along);
    EXPECT_NEAR((4.0 * fine.about - coarse.about) / 3.0, about, 0.003 * about);
    EXPECT_NEAR(std::log2((coarse.along - along) / (fine.along - along)), 2.0, 0.25);
    EXPECT_NEAR(std::log2((coarse.about - about) / (fine.about - about)), 2.0, 0.25);
}

TEST(CoreFrequency, OfAThinCore) {
    expectFrequencies(0.03, 7.722, 4.204);
}

TEST(CoreFrequency, OfAThickCore) {
    expectFrequencies(0.05, 12.013, 8.710);
}

}  // namespace
}  // namespace pliant::test
