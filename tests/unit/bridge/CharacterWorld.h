// SPDX-License-Identifier: Zlib
// The bar of two bones in a Bullet world, and what it does reckoned without the bridge.
#pragma once

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "../character/BarCharacter.h"
#include "TestWorld.h"
#include "btPliant/btPliantCharacter.h"
#include "btPliant/data/BodyData.h"
#include "btPliant/data/Convert.h"

namespace pliant::test {

/// Made once.
inline std::shared_ptr<const CharacterModel> barCharacter() {
    static const std::shared_ptr<const CharacterModel> made = [] {
        const VolumeMesh mesh = barMesh();
        Rig rig = barRig(mesh);
        rig.clips = {nod(0.6)};
        CharacterOptions options = barOptions();
        options.modes = 40;
        options.dimension = 40;
        return makeCharacter(rig, mesh, options, "bar");
    }();
    return made;
}

struct CharacterWorld : TestWorld {
    explicit CharacterWorld(const btPliantSystemInfo& info = oneThread()) : TestWorld(info) {}

    btPliantCharacter* add(const btPliantCharacterInfo& info) {
        btPliantCharacter* made = system->createCharacter(barCharacter(), info);
        world.addRigidBody(made, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
        return made;
    }
    btRigidBody* addBall(double radius, double mass, const btVector3& position) {
        return addRigid(new btSphereShape(static_cast<btScalar>(radius)), mass, position);
    }
};

/// Stands in a pose, undamped.
inline btPliantCharacterInfo standing(const Pose& pose = {}, const btVector3& at = btVector3(0, 0, 0)) {
    btPliantCharacterInfo info;
    info.m_drive = btPliantDrive::Pose;
    info.m_pose = pose;
    info.m_meshTransform.setOrigin(at);
    return info;
}

/// The lower bone bent by an angle about z.
inline Pose noddedPose(double angle) {
    Pose pose = bindPose(barCharacter()->skeleton);
    const Pose stanceOfFile = stance(barCharacter()->skeleton);
    pose = stanceOfFile;
    pose[1].rotation = pose[1].rotation * Rotation(Eigen::AngleAxisd(angle, Vector3::UnitZ()));
    return pose;
}

/// Maps of the bones as the core takes them, without motion.
inline std::vector<MovingFrame> framesOf(const btPliantCharacter& character) {
    std::vector<AffineMap> bones;
    character.getBones(bones);
    std::vector<MovingFrame> frames(bones.size());
    for (std::size_t b = 0; b < bones.size(); ++b) frames[b].map = bones[b];
    return frames;
}

/// Drawn vertices of a character, world: skinned and bent in double precision, p = s(x) + sum_b w_b R_b U q.
inline Points drawnVertices(const btPliantCharacter& character) {
    const CharacterModel& model = character.getCharacter();
    const std::vector<MovingFrame> bones = framesOf(character);
    std::vector<Matrix3> turns(bones.size());
    for (std::size_t b = 0; b < bones.size(); ++b) {
        const Matrix3 L = bones[b].map.leftCols<3>();
        turns[b] = L / std::cbrt(L.determinant());
    }
    const VectorX q = character.getReducedCoordinates();
    Points now(3, model.flesh->surfaceVertexCount());
    for (Eigen::Index v = 0; v < now.cols(); ++v) {
        const Vector3 x = model.flesh->surface.positions.col(v);
        const Vector3 u = model.flesh->surfaceBasis.middleRows<3>(3 * v).cast<double>() * q;
        now.col(v).setZero();
        for (int k = 0; k < 4; ++k) {
            if (model.skin.vertices.weights(k, v) == 0.0f) continue;
            const auto b = static_cast<std::size_t>(model.skin.vertices.bones(k, v));
            const AffineMap& map = bones[b].map;
            now.col(v) += model.skin.vertices.weights(k, v) * (map.leftCols<3>() * x + map.col(3) + turns[b] * u);
        }
    }
    return now;
}

inline VectorX randomCoordinates(std::mt19937& random, double size) {
    std::normal_distribution<double> normal;
    VectorX q(barCharacter()->flesh->dimension());
    for (Eigen::Index j = 0; j < q.size(); ++j) q[j] = normal(random);
    return q * (size / q.norm());
}

}  // namespace pliant::test
