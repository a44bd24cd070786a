// SPDX-License-Identifier: Zlib
#include "osgPliant/CpuDeformation.h"

namespace osgPliant {

namespace {

/// rest + basis q as 3 x d; the basis may be absent (0 rows) for surfaces without normal corrections.
pliant::PointsF displaced(const pliant::Points& rest, const pliant::MatrixXf& basis, const double* q) {
    pliant::PointsF result = rest.cast<float>();
    if (basis.cols() == 0 || basis.rows() != 3 * rest.cols()) return result;
    const pliant::VectorXf qf = Eigen::Map<const pliant::VectorX>(q, basis.cols()).cast<float>();
    Eigen::Map<pliant::VectorXf>(result.data(), basis.rows()).noalias() += basis * qf;
    return result;
}

}  // namespace

void deformOnCpu(const pliant::ReducedModel& model, const double* q, pliant::PointsF& positions) {
    positions = displaced(model.surface.positions, model.surfaceBasis, q);
}

void deformOnCpu(const pliant::ReducedModel& model, const double* q, pliant::PointsF& positions,
                 pliant::PointsF& normals) {
    deformOnCpu(model, q, positions);
    normals = displaced(model.surface.normals, model.surfaceNormalBasis, q);
    for (Eigen::Index v = 0; v < normals.cols(); ++v) {
        const float length = normals.col(v).norm();
        if (length > 1e-12f) {
            normals.col(v) /= length;
        } else {
            normals.col(v) = model.surface.normals.col(v).cast<float>();
        }
    }
}

}  // namespace osgPliant
