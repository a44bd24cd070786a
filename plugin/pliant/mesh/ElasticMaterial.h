// SPDX-License-Identifier: Zlib
/// @file
/// The material of a region: St.Venant-Kirchhoff, S = C E with Green strain E and second Piola stress S, for any
/// symmetric positive definite stiffness C.
///
/// 6-vectors and 6 x 6 matrices go xx, yy, zz, yz, xz, xy. Strains carry engineering shear 2 E_ij, stresses carry S_ij,
/// so the energy density is e' C e / 2.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"

namespace pliant {

using Vector6 = Matrix<double, 6, 1>;  ///< A symmetric tensor as xx, yy, zz, yz, xz, xy.
using Matrix6 = Matrix<double, 6, 6>;  ///< A linear map between such tensors.

/// Which constants of an ElasticMaterial say how stiff it is.
enum class MaterialLaw {
    Isotropic,    ///< ElasticMaterial::youngsModulus and ElasticMaterial::poissonRatio.
    Orthotropic,  ///< ElasticMaterial::orthotropic.
    General       ///< ElasticMaterial::stiffness.
};

/// Nine constants along three perpendicular axes. nu_ij is the shrinking along j per stretch along i under a pull along
/// i, so nu_ij / E_i = nu_ji / E_j.
struct OrthotropicConstants {
    Vector3 youngsModuli = Vector3::Constant(1.0e7);  ///< Young's moduli E1, E2, E3, Pa, > 0.
    Vector3 poissonRatios = Vector3::Constant(0.3);   ///< Poisson ratios nu12, nu23, nu31.
    /// Shear moduli G12, G23, G31, Pa, > 0.
    Vector3 shearModuli = Vector3::Constant(1.0e7 / (2.0 * (1.0 + 0.3)));
    Matrix3 axes = Matrix3::Identity();  ///< A rotation whose columns are the axes 1, 2, 3 in the mesh frame.
};

/// Density and stiffness of a region. Which of the constants count is said by `law`; plain isotropic users set the
/// first four members and no more.
struct ElasticMaterial {
    std::string name = "default";              ///< Name of the material.
    double density = 1000.0;                   ///< Density rho, kg/m^3, > 0.
    double youngsModulus = 1.0e7;              ///< Young's modulus E of the isotropic law, Pa, > 0.
    double poissonRatio = 0.45;                ///< Poisson ratio nu of the isotropic law, in (-1, 0.5).
    MaterialLaw law = MaterialLaw::Isotropic;  ///< Which constants count.
    OrthotropicConstants orthotropic = {};     ///< Constants of the orthotropic law.
    Matrix6 stiffness = Matrix6::Zero();       ///< C of the general law, Pa, in the axes of the mesh.

    /// Whether the law is the isotropic one.
    bool isotropic() const { return law == MaterialLaw::Isotropic; }
    /// First Lame constant of the isotropic law, Pa; meaningless for the others.
    double lameLambda() const {
        return youngsModulus * poissonRatio / ((1.0 + poissonRatio) * (1.0 - 2.0 * poissonRatio));
    }
    /// Second Lame constant (shear modulus) of the isotropic law, Pa; meaningless for the others.
    double lameMu() const { return youngsModulus / (2.0 * (1.0 + poissonRatio)); }
};

/// C of any law, Pa, symmetric, in the axes of the mesh. It is not finite or not positive definite where the constants
/// are impossible.
PLIANT_API Matrix6 stiffnessMatrix(const ElasticMaterial& material);

/// The weights whose sum of polynomials is the energy of a region, where the polynomials do not change with these
/// numbers: {lambda_L, mu_L} in Pa for the isotropic law (energies per unit of each), {1} for the others.
PLIANT_API std::vector<double> energyWeights(const ElasticMaterial& material);

/// C of a material whose axes are turned: R's columns are the images of the axes in which `stiffness` is given.
PLIANT_API Matrix6 rotatedStiffness(const Matrix6& stiffness, const Matrix3& R);

/// One Poisson ratio and a shear factor for an orthotropic law: nu_ij = nu sqrt(E_i / E_j), G_ij = g sqrt(E_i E_j) / (2
/// (1 + nu)); positive definite for every nu in (-1, 0.5) [LB14].
/// @param youngsModuli Pa
/// @param poissonRatio nu
/// @param shearFactor g, 1 for isotropic shear
PLIANT_API OrthotropicConstants stableOrthotropic(const Vector3& youngsModuli, double poissonRatio,
                                                  double shearFactor = 1.0);

}  // namespace pliant
