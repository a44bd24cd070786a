// SPDX-License-Identifier: Zlib
#include "pliant/model/CharacterShape.h"

namespace pliant {
namespace {

/// @param basis 3m x r of the m points, single or double precision
template <typename Basis>
void bentAndSkinned(const SkinWeights& skin, const std::vector<MovingFrame>& bones, const Points& rest,
                    const Basis& basis, const double* q, Points& points) {
    points.resize(3, rest.cols());
    for (Eigen::Index v = 0; v < rest.cols(); ++v) {
        Vector3 bent = Vector3::Zero();
        if (q)
            for (Eigen::Index j = 0; j < basis.cols(); ++j)
                for (Eigen::Index i = 0; i < 3; ++i) bent[i] += static_cast<double>(basis(3 * v + i, j)) * q[j];
        Vector3 sum = Vector3::Zero();
        for (Eigen::Index i = 0; i < 4; ++i) {
            const double weight = skin.weights(i, v);
            if (weight == 0.0) continue;
            const MovingFrame& bone = bones[static_cast<std::size_t>(skin.bones(i, v))];
            sum += weight * bone.point(rest.col(v));
            if (q) sum += weight * (bone.map.leftCols<3>() * bent / bone.scale());
        }
        points.col(v) = sum;
    }
}

}  // namespace

void surfacePoints(const CharacterModel& c, const std::vector<MovingFrame>& bones, const double* q, Points& points) {
    bentAndSkinned(c.skin.vertices, bones, c.flesh->surface.positions, c.flesh->surfaceBasis, q, points);
}

void fleshPoints(const CharacterModel& c, const std::vector<MovingFrame>& bones, const double* q, Points& points) {
    const RigidTransform& frame = c.flesh->meshFromBody;
    const Points rest = frame.rotation.transpose() * (c.flesh->mesh.positions.colwise() - frame.translation);
    bentAndSkinned(c.skin.nodes, bones, rest, c.flesh->basis, q, points);
}

}  // namespace pliant
