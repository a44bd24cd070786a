// SPDX-License-Identifier: Zlib
/// @file
/// From a rig and a control lattice to flesh on it [C02].
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/control_lattice/ControlLattice.h"
#include "pliant/math/Api.h"
#include "pliant/math/Progress.h"
#include "pliant/mesh/ElasticMaterial.h"
#include "pliant/model/LatticeModel.h"
#include "pliant/rig/Rig.h"

namespace pliant {

/// Every choice in giving lattice flesh to a rig.
struct LatticeOptions {
    /// Of all flesh; isotropic. Default: E = 1 MPa, nu = 0.4, 1000 kg/m^3.
    ElasticMaterial material{"flesh", 1000.0, 1.0e6, 0.4};
    /// Materials of cells; empty: `material` everywhere.
    std::vector<ElasticMaterial> materials;
    std::vector<int> cellMaterial;  ///< Of each cell one of `materials`; empty with them.
    int levels = 0;                 ///< Levels of finer functions, 0 to 3.
    int depth = 2;                  ///< Subdivisions that integrals run over, >= 1, >= levels.
    double core = 0.3;  ///< Radius of the core that each bone holds, as a share of the way to the surface, (0, 1).
    /// One region that turns with the first bone: the whole strain linearised at once, what blending is measured
    /// against.
    bool globalLinear = false;
    /// Weights of the lattice's n vertices, n x B, >= 0, each with some; empty: harmonic, the file's at the surface.
    MatrixX vertexWeights;
};

/// What giving lattice flesh came to.
struct LatticeReport {
    std::vector<std::string> notes;  ///< What was tolerated or looks too coarse, a sentence each.
    int regions = 0;                 ///< Regions.
    int functions = 0;               ///< Functions N.
    int held = 0;                    ///< Functions that bones hold.
    int tied = 0;                    ///< Functions that nearly no flesh feels: tied to neighbours, or left out.
    double mass = 0.0;               ///< Mass of the flesh, kg.
};

/// @param rig with bones that have ends (findBoneEnds) and a closed surface  @param lattice in the rig's space
/// @param where its file, for messages  @param report filled; may be null
/// @throws Error at `where`, naming bone or cell: bad cells, bones that are no edges of the lattice, limbs outside of
/// it, surfaces that are not closed, impossible materials and options, vertices without weights or with nothing to be
/// tied to
PLIANT_API std::shared_ptr<const LatticeModel> makeLatticeModel(const Rig& rig, ControlLattice lattice,
                                                                const LatticeOptions& options, const std::string& where,
                                                                LatticeReport* report = nullptr);

/// The same, told. @param progress told the stages "lattice cut", "lattice weights", "lattice regions" and "lattice
/// surface"
/// @throws Error likewise; Cancelled
PLIANT_API std::shared_ptr<const LatticeModel> makeLatticeModel(const Rig& rig, ControlLattice lattice,
                                                                const LatticeOptions& options, const std::string& where,
                                                                LatticeReport* report,
                                                                const ProgressCallback& progress);

}  // namespace pliant
