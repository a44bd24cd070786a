// SPDX-License-Identifier: Zlib
#include "btPliantScene/SpawnCheck.h"

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "btPliantScene/SceneClock.h"

namespace btPliantInternal {
namespace {

/// Of a body's size: less depth is rounding, or how a body's shape is approximated.
constexpr double kShareOfSize = 0.01;

struct Deepest {
    const btCollisionObject* other = nullptr;
    double depth = 0.0;  ///< m
};

Deepest deepestContact(btDispatcher& dispatcher, const btRigidBody& body) {
    Deepest deepest;
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
        if (manifold.getBody0() != &body && manifold.getBody1() != &body) continue;
        for (int k = 0; k < manifold.getNumContacts(); ++k) {
            const double depth = -static_cast<double>(manifold.getContactPoint(k).getDistance());
            if (depth <= deepest.depth) continue;
            deepest.depth = depth;
            deepest.other = manifold.getBody0() == &body ? manifold.getBody1() : manifold.getBody0();
        }
    }
    return deepest;
}

double diagonalOf(const btRigidBody& body) {
    btVector3 least, most;
    body.getAabb(least, most);
    return static_cast<double>((most - least).length());
}

bool isLayer(const SceneData& data, const std::string& name) {
    const std::vector<pliant::scene::Layer>& layers = data.scene.layers;
    return std::any_of(layers.begin(), layers.end(), [&](const auto& layer) { return layer.name == name; });
}

/// The name that the scene's file has for a body, with the number of the copy.
std::string nameOf(const SceneData& data, const btCollisionObject* body) {
    if (body == data.ground.get()) return "the ground";
    for (const auto& [name, bodies] : data.named) {
        const auto found = std::find(bodies.begin(), bodies.end(), body);
        if (found == bodies.end() || name.empty() || isLayer(data, name)) continue;
        const std::string number = "[" + std::to_string(found - bodies.begin()) + "]";
        return '"' + name + (bodies.size() > 1 ? number : "") + '"';
    }
    return "a body without a name";
}

std::string tell(const SceneData& data, const Arrival& arrival, const Deepest& deepest) {
    std::ostringstream text;
    text << std::setprecision(3) << arrival.action->where << ": at " << data.time << " s " << nameOf(data, arrival.body)
         << " comes in " << std::setprecision(2) << deepest.depth << " m inside " << nameOf(data, deepest.other)
         << "; bring bodies in farther apart, or one after another";
    return text.str();
}

}  // namespace

void checkArrivals(SceneData& data) {
    SceneClock& clock = *data.clock;
    for (const Arrival& arrival : clock.arrivals) {
        if (clock.warnedOf.count(arrival.action)) continue;
        const Deepest deepest = deepestContact(*data.world.getDispatcher(), *arrival.body);
        if (deepest.depth <= kShareOfSize * diagonalOf(*arrival.body)) continue;
        clock.warnedOf.insert(arrival.action);
        clock.timeline.warn(tell(data, arrival, deepest));
    }
    clock.arrivals.clear();
}

}  // namespace btPliantInternal
