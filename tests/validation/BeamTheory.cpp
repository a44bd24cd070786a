// SPDX-License-Identifier: Zlib
// A slender anchored beam (1 x 0.05 x 0.05 m, nu = 0.3) against Timoshenko's beam theory: tip deflection under a small
// static load and first frequency, three refinements, extrapolated. Known to about (h / L)^2 = 0.25 %.
//
// Static: delta = F L^3 / (3 E I) + F L / (k G A), k = 10 (1 + nu) / (12 + 11 nu) (Cowper). Frequency:
// Euler-Bernoulli's first root times 1 - (1 + E / (k G)) s (I / (A L^2)), the first-order correction for rotary inertia
// and shear with the mode's own s = int (phi')^2 / int phi^2, times L^2.
#include <cmath>
#include <vector>

#include "pliant/basis/LinearModes.h"
#include "pliant/fem/StaticSolve.h"
#include "unit/fem/BeamMesh.h"

namespace pliant {
namespace {

constexpr double length = 1.0, side = 0.05, E = 1e7, nu = 0.3, rho = 1000.0;
constexpr double area = side * side, I = side * side * side * side / 12.0;
constexpr double G = E / (2.0 * (1.0 + nu)), shearFactor = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
constexpr double force = 1e-3;  // N: a deflection of 6e-5 m

double theoryDeflection() {
    return force * length * length * length / (3.0 * E * I) + force * length / (shearFactor * G * area);
}

/// First root of cos(b) cosh(b) = -1, and the correction by Rayleigh's quotient with the Euler-Bernoulli mode phi:
/// rotary inertia adds rho I phi'^2 to the kinetic side, shear adds (E I phi''')^2 / (k G A) as a flexibility.
double theoryOmega() {
    const double b = 1.8751040687119611;
    const double c = (std::cosh(b) + std::cos(b)) / (std::sinh(b) + std::sin(b));
    double shape = 0.0, slope = 0.0, bend = 0.0, shear = 0.0;
    const int steps = 20000;
    for (int i = 0; i < steps; ++i) {
        const double x = b * (i + 0.5) / steps;
        const auto sq = [](double v) { return v * v; };
        shape += sq(std::cosh(x) - std::cos(x) - c * (std::sinh(x) - std::sin(x)));
        slope += sq(b * (std::sinh(x) + std::sin(x) - c * (std::cosh(x) - std::cos(x))));
        bend += sq(b * b * (std::cosh(x) + std::cos(x) - c * (std::sinh(x) + std::sin(x))));
        shear += sq(b * b * b * (std::sinh(x) - std::sin(x) - c * (std::cosh(x) + std::cos(x))));
    }
    const double rotary = I / (area * length * length) * slope / shape;
    const double flexibility = E * I / (shearFactor * G * area * length * length) * shear / bend;
    const double euler = b * b * std::sqrt(E * I / (rho * area)) / (length * length);
    return euler / std::sqrt((1.0 + rotary) * (1.0 + flexibility));
}

struct Answer {
    double deflection, omega;
};

Answer solveBeam(ElementKind kind, int refinement) {
    test::BeamShape shape;
    shape.kind = kind;
    shape.nx = 40 * refinement;
    shape.ny = shape.nz = refinement;
    shape.length = length;
    shape.width = shape.height = side;
    VolumeMesh mesh = test::beamMesh(shape);
    mesh.materials[0] = {"beam", rho, E, nu};
    const FullModel model(mesh);
    const std::vector<int> clamped = test::clampedEnd(shape);
    // The load is spread over the end face as its area is.
    VectorX load = VectorX::Zero(model.degreesOfFreedom());
    for (int j = 0; j <= shape.ny; ++j)
        for (int k = 0; k <= shape.nz; ++k) {
            const double share = (j % shape.ny ? 1.0 : 0.5) * (k % shape.nz ? 1.0 : 0.5) / (shape.ny * shape.nz);
            load[3 * test::beamVertex(shape, shape.nx, j, k) + 2] = force * share;
        }
    const VectorX u = solveStatic(model, Restriction::ofVertices(mesh, clamped), load);
    const LinearModes modes = linearModes(StaticCompliance(model, clamped), 2);
    return {load.dot(u) / force, std::sqrt(modes.eigenvalues[0])};
}

/// Limit of a sequence f(h), f(h/2), f(h/4) whose error falls by a constant factor per refinement (Richardson with the
/// order seen).
double extrapolate(double coarse, double middle, double fine) {
    const double ratio = (coarse - middle) / (middle - fine);
    return fine + (fine - middle) / (ratio - 1.0);
}

class BeamTheory : public ::testing::TestWithParam<ElementKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, BeamTheory, ::testing::Values(ElementKind::Brick, ElementKind::Tetrahedron));

TEST_P(BeamTheory, TipDeflectionAndFirstFrequency) {
    std::vector<Answer> a;
    for (const int refinement : {1, 2, 4}) a.push_back(solveBeam(GetParam(), refinement));
    // Locking adds a parasitic stiffness that falls with h^2: stiffness (force / deflection, omega^2) is what converges
    // regularly, most visibly with linear tetrahedra.
    const double deflection = 1.0 / extrapolate(1.0 / a[0].deflection, 1.0 / a[1].deflection, 1.0 / a[2].deflection);
    const auto squared = [&](std::size_t i) { return a[i].omega * a[i].omega; };
    const double omega = std::sqrt(extrapolate(squared(0), squared(1), squared(2)));
    for (const Answer& x : a)
        std::printf("refinement: deflection %.4f, frequency %.4f of theory\n", x.deflection / theoryDeflection(),
                    x.omega / theoryOmega());
    std::printf("extrapolated: deflection %.5f, frequency %.5f of theory\n", deflection / theoryDeflection(),
                omega / theoryOmega());
    EXPECT_NEAR(deflection / theoryDeflection(), 1.0, 0.02);
    EXPECT_NEAR(omega / theoryOmega(), 1.0, 0.02);
    // and the answers do approach the limit from the stiff side
    EXPECT_LT(a[0].deflection, a[1].deflection);
    EXPECT_LT(a[1].deflection, a[2].deflection);
}

}  // namespace
}  // namespace pliant
