// SPDX-License-Identifier: Zlib
/// @file
/// Other materials for a reduced model, without its mesh.
///
/// Stiffness: the energy is the weighted sum of the groups' parts, exact for the subspace that the model has. (The best
/// subspace for the new material is another one: where regions change by orders of magnitude, reduce again.)
///
/// Density: U' M U = 1 no longer holds, the centre of mass moves and the principal axes turn. With the new densities
/// the body frame becomes x' = Q (x - c); a free body's basis loses its mean translation, psi_j - D_j / m, which
/// strains nothing; the reduced mass m_ij = int rho psi_i . psi_j = (L L')_ij gives q = T q_new with T = L^-T. T is
/// upper triangular, so that the first r' coordinates span what they spanned, and
///
///     U_new = Q (U - 1 D' / m) T
///
/// goes into polynomials, integrals, surface, skeleton and trees. A free body then has D = 0 again, but H0 = int rho X
/// x psi_j is not zero any more: turning is coupled to q at rest. The result equals a reduction of the edited mesh with
/// U_new.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/model/ReducedModel.h"

namespace pliant {

/// New constants for one material of a model; what is not set stays.
struct MaterialEdit {
    int material = 0;                       ///< Number among the materials of ReducedModel::mesh.
    std::optional<double> youngsModulus{};  ///< Young's modulus, Pa, of an isotropic law only.
    /// Poisson ratio, of an isotropic law only, and where its elements have no assumed strain (thin and cut bricks).
    std::optional<double> poissonRatio{};
    std::optional<double> stiffnessScale{};  ///< Multiplies the stiffness of any law, > 0, after the two above.
    std::optional<double> density{};         ///< Density, kg/m^3, > 0.
};

/// A copy of the model with other materials; the edits apply one after the other. Eigenvalues of the full model's modes
/// are kept, scaled, where the edit scales the whole body alike, and dropped (empty) where it does not;
/// provenance.options gets ";edit=...".
/// @throws Error when the model has no groups, for a material that does not exist, a law that has no such constant, and
/// constants that are impossible
PLIANT_API std::shared_ptr<ReducedModel> withMaterial(const ReducedModel& model,
                                                      const std::vector<MaterialEdit>& edits);

}  // namespace pliant
