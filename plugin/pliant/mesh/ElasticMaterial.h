// SPDX-License-Identifier: Zlib
// The material of a region: St.Venant-Kirchhoff, S = C E with Green strain E and second Piola stress S, for any
// symmetric positive definite stiffness C.
//
// 6-vectors and 6 x 6 matrices go xx, yy, zz, yz, xz, xy. Strains carry engineering shear 2 E_ij, stresses carry S_ij,
// so the energy density is e' C e / 2.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

using Vector6 = Matrix<double, 6, 1>;
using Matrix6 = Matrix<double, 6, 6>;

enum class MaterialLaw {
    Isotropic,    ///< youngsModulus and poissonRatio
    Orthotropic,  ///< `orthotropic`
    General       ///< `stiffness`
};

/// Nine constants along three perpendicular axes. nu_ij is the shrinking along j per stretch along i under a pull along
/// i, so nu_ij / E_i = nu_ji / E_j.
struct OrthotropicConstants {
    Vector3 youngsModuli = Vector3::Constant(1.0e7);                       ///< E1, E2, E3, Pa, > 0
    Vector3 poissonRatios = Vector3::Constant(0.3);                        ///< nu12, nu23, nu31
    Vector3 shearModuli = Vector3::Constant(1.0e7 / (2.0 * (1.0 + 0.3)));  ///< G12, G23, G31, Pa, > 0
    Matrix3 axes = Matrix3::Identity();  ///< columns: axes 1, 2, 3 in the mesh frame, a rotation
};

/// Which of the constants count is said by `law`; plain isotropic users set the first four members and no more.
struct ElasticMaterial {
    std::string name = "default";
    double density = 1000.0;       ///< rho, kg/m^3, > 0
    double youngsModulus = 1.0e7;  ///< E, Pa, > 0; isotropic law
    double poissonRatio = 0.45;    ///< nu, in (-1, 0.5); isotropic law
    MaterialLaw law = MaterialLaw::Isotropic;
    OrthotropicConstants orthotropic = {};  ///< orthotropic law
    Matrix6 stiffness = Matrix6::Zero();    ///< C, Pa, in the axes of the mesh; general law

    bool isotropic() const { return law == MaterialLaw::Isotropic; }
    /// Lame constants of the isotropic law, Pa; meaningless for the others.
    double lameLambda() const {
        return youngsModulus * poissonRatio / ((1.0 + poissonRatio) * (1.0 - 2.0 * poissonRatio));
    }
    double lameMu() const { return youngsModulus / (2.0 * (1.0 + poissonRatio)); }
};

/// C of any law, Pa, symmetric, in the axes of the mesh. Not finite or not positive definite where the constants are
/// impossible: see CheckVolumeMesh.h.
Matrix6 stiffnessMatrix(const ElasticMaterial& material);

/// The energy of a region is a weighted sum of polynomials that do not change with these numbers: {lambda_L, mu_L} in
/// Pa for the isotropic law (energies per unit of each), {1} for the others.
std::vector<double> energyWeights(const ElasticMaterial& material);

/// C of a material whose axes are turned: R's columns are the images of the axes in which `stiffness` is given.
Matrix6 rotatedStiffness(const Matrix6& stiffness, const Matrix3& R);

/// One Poisson ratio and a shear factor for an orthotropic law: nu_ij = nu sqrt(E_i / E_j),
/// G_ij = g sqrt(E_i E_j) / (2 (1 + nu)); positive definite for every nu in (-1, 0.5) (Li, Barbic: Stable Corotational
/// Materials, 2014). @param youngsModuli Pa  @param shearFactor 1 for isotropic shear
OrthotropicConstants stableOrthotropic(const Vector3& youngsModuli, double poissonRatio, double shearFactor = 1.0);

}  // namespace pliant
