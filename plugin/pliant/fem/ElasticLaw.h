// SPDX-License-Identifier: Zlib
// Stress of a strain, S = C E, ready for inner loops: isotropic materials keep their two constants, the others their
// 6 x 6 stiffness (order xx, yy, zz, yz, xz, xy, engineering shear).
#pragma once

#include "pliant/mesh/ElasticMaterial.h"

namespace pliant {

struct ElasticLaw {
    bool isotropic = true;
    double lambda = 0.0;                  ///< First Lame constant, Pa, of isotropic laws only.
    double mu = 0.0;                      ///< Second Lame constant, Pa, of isotropic laws only.
    Matrix6 stiffness = Matrix6::Zero();  ///< Stiffness C, 6 x 6, Pa, of every law.

    ElasticLaw() = default;
    explicit ElasticLaw(const ElasticMaterial& material)
        : isotropic(material.isotropic()),
          lambda(isotropic ? material.lameLambda() : 0.0),
          mu(isotropic ? material.lameMu() : 0.0),
          stiffness(stiffnessMatrix(material)) {}
};

/// (E_xx, E_yy, E_zz, 2 E_yz, 2 E_xz, 2 E_xy) of a symmetric E.
inline Vector6 strainVector(const Matrix3& E) {
    Vector6 e;
    e << E(0, 0), E(1, 1), E(2, 2), 2.0 * E(1, 2), 2.0 * E(0, 2), 2.0 * E(0, 1);
    return e;
}

/// S(E) for a symmetric strain (or strain increment), Pa.
inline Matrix3 stressOf(const ElasticLaw& law, const Matrix3& strain) {
    if (law.isotropic) return law.lambda * strain.trace() * Matrix3::Identity() + 2.0 * law.mu * strain;
    const Vector6 s = law.stiffness.lazyProduct(strainVector(strain));
    Matrix3 S;
    S << s[0], s[5], s[4], s[5], s[1], s[3], s[4], s[3], s[2];
    return S;
}

}  // namespace pliant
