// SPDX-License-Identifier: Zlib
#include "stats/StateHash.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <vector>

namespace pliant::program {
namespace {

void append(std::vector<double>& values, const btVector3& v) {
    for (int i = 0; i < 3; ++i) values.push_back(static_cast<double>(v[i]));
}

void append(std::vector<double>& values, const btRigidBody& body) {
    const btTransform& transform = body.getWorldTransform();
    for (int i = 0; i < 3; ++i) append(values, transform.getBasis()[i]);
    append(values, transform.getOrigin());
    append(values, body.getLinearVelocity());
    append(values, body.getAngularVelocity());
}

}  // namespace

std::string stateHash(const SceneWorld& world) {
    std::vector<double> values;
    for (const SceneWorld::Deformable& deformable : world.deformables()) {
        append(values, *deformable.m_body);
        const ConstVectorView q = deformable.m_body->getReducedCoordinates();
        const ConstVectorView velocity = deformable.m_body->getReducedVelocities();
        values.insert(values.end(), q.begin(), q.end());
        values.insert(values.end(), velocity.begin(), velocity.end());
    }
    for (const SceneWorld::Rigid& rigid : world.rigids()) append(values, *rigid.m_body);
    const XXH128_hash_t hash = XXH3_128bits(values.data(), values.size() * sizeof(double));
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace pliant::program
