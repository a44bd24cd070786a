// SPDX-License-Identifier: Zlib
#include "pliant/runtime/ragdoll/BoneMasses.h"

#include "pliant/mesh/ElementShape.h"
#include "pliant/mesh/Quadrature.h"

namespace pliant {
namespace {

using Matrix4 = Eigen::Matrix4d;
using Vector4 = Eigen::Vector4d;

/// int N_a N_c over an element of volume 1. @param box  where the material is in a brick
double massShare(ElementKind kind, const FilledBox& box, std::size_t a, std::size_t c) {
    if (kind == ElementKind::Tetrahedron) return a == c ? 0.1 : 0.05;
    double share = 1.0;
    for (std::size_t k = 0; k < 3; ++k)
        share *= box.meanProduct(static_cast<int>(k), brickCornerBit[a][k], brickCornerBit[c][k]);
    return share;
}

Matrix3 spread(const Matrix3& second) {
    return second.trace() * Matrix3::Identity() - second;
}

/// @param moments int rho w_b (x; 1) (x; 1)'
BoneMass massOf(const Matrix4& moments) {
    BoneMass bone;
    bone.mass = moments(3, 3);
    if (!(bone.mass > 0.0)) return BoneMass();
    bone.centre = moments.topRightCorner<3, 1>() / bone.mass;
    bone.inertia = spread(moments.topLeftCorner<3, 3>() - bone.mass * bone.centre * bone.centre.transpose());
    return bone;
}

}  // namespace

std::vector<BoneMass> boneMasses(const CharacterModel& character) {
    const VolumeMesh& mesh = character.flesh->mesh;
    const SkinWeights& weights = character.skin.nodes;
    const auto corners = static_cast<std::size_t>(mesh.cornersPerElement());
    std::vector<Matrix4> moments(character.skeleton.bones.size(), Matrix4::Zero());
    for (int e = 0; e < mesh.elementCount(); ++e) {
        const double density =
            mesh.materials[static_cast<std::size_t>(mesh.elementMaterial[static_cast<std::size_t>(e)])].density;
        const double mass = density * elementVolume(mesh, e);
        const FilledBox box = mesh.filledBox(e);
        Vector4 places[8];
        for (std::size_t a = 0; a < corners; ++a)
            places[a] << character.flesh->meshFromBody.inversePoint(
                mesh.positions.col(mesh.elements(static_cast<Eigen::Index>(a), e))),
                1.0;
        for (std::size_t a = 0; a < corners; ++a) {
            const Eigen::Index v = mesh.elements(static_cast<Eigen::Index>(a), e);
            Vector4 mean = Vector4::Zero();
            for (std::size_t c = 0; c < corners; ++c) mean += mass * massShare(mesh.kind, box, a, c) * places[c];
            const Matrix4 product = 0.5 * (places[a] * mean.transpose() + mean * places[a].transpose());
            for (Eigen::Index i = 0; i < 4; ++i)
                moments[static_cast<std::size_t>(weights.bones(i, v))] += weights.weights(i, v) * product;
        }
    }
    std::vector<BoneMass> bones;
    for (const Matrix4& each : moments) bones.push_back(massOf(each));
    return bones;
}

BoneMass together(const BoneMass& a, const BoneMass& b) {
    if (!(a.mass > 0.0)) return b;
    if (!(b.mass > 0.0)) return a;
    BoneMass sum;
    sum.mass = a.mass + b.mass;
    sum.centre = (a.mass * a.centre + b.mass * b.centre) / sum.mass;
    const Vector3 way = a.centre - b.centre;
    sum.inertia = a.inertia + b.inertia + spread(a.mass * b.mass / sum.mass * way * way.transpose());
    return sum;
}

}  // namespace pliant
