// SPDX-License-Identifier: Zlib
// Reduced models made in memory from point masses and springs: everything about them is known exactly.
#pragma once

#include <memory>

#include "pliant/model/ReducedModel.h"

namespace pliant::test {

struct LumpedOptions {
    int masses = 30;
    int dimension = 8;         ///< r
    double stiffness = 400.0;  ///< of every spring, N/m^3; sets the frequencies
    bool meanAxis = true;      ///< basis M-orthogonal to the rigid motions; otherwise D and H0 are not zero
    unsigned seed = 1;
};

/// Point masses in a cube of about one metre, joined by springs of energy stiffness / 2 (|d|^2 - L^2)^2 / 4 / L^2: a
/// polynomial of degree 4 that does not change under rotation, as StVK's. Random basis, U' M U = 1, rest shape centred
/// and along its principal axes. The masses stand in mesh.positions, one per vertex, their weight in `masses`.
struct LumpedSystem {
    std::shared_ptr<ReducedModel> model;
    VectorX masses;
};
LumpedSystem makeLumpedSystem(const LumpedOptions& options);

/// A single linear coordinate: K = omega^2, one vertex moving along z with U = 1 (mass 1 kg).
std::shared_ptr<ReducedModel> makeOscillator(double omega, bool anchored = true);

/// Material point at a vertex.
MaterialPoint atVertex(int vertex);

}  // namespace pliant::test
