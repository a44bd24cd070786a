// SPDX-License-Identifier: Zlib
#include "btPliantScene/SceneLayers.h"

#include <btBulletDynamicsCommon.h>

#include <algorithm>

namespace btPliantInternal {
namespace {

using pliant::scene::Layer;

constexpr int kFirstBit = 6;         // behind those that Bullet has names for
constexpr int kRest = (1 << 6) - 1;  // these: bodies in no layer

bool names(const Layer& layer, const std::string& other) {
    return std::find(layer.meets.begin(), layer.meets.end(), other) != layer.meets.end();
}

}  // namespace

FilterWords filterOf(const pliant::scene::SceneDescription& scene, const std::string& layer) {
    const std::vector<Layer>& layers = scene.layers;
    const auto own = std::find_if(layers.begin(), layers.end(), [&](const Layer& l) { return l.name == layer; });
    FilterWords words{1 << (kFirstBit + static_cast<int>(own - layers.begin())), names(*own, "rest") ? kRest : 0};
    for (std::size_t i = 0; i < layers.size(); ++i)
        if (names(*own, layers[i].name) || names(layers[i], layer))
            words.mask |= 1 << (kFirstBit + static_cast<int>(i));
    return words;
}

const std::string& layerOf(const SceneData& data, const btRigidBody& body) {
    static const std::string none;
    for (const btPliantScene::Deformable& deformable : data.deformables)
        if (deformable.m_body == &body) return data.scene.bodies[static_cast<std::size_t>(deformable.m_group)].layer;
    for (const btPliantScene::Rigid& rigid : data.rigids)
        if (rigid.m_body == &body) return data.scene.rigid[static_cast<std::size_t>(rigid.m_group)].layer;
    return none;
}

void addToWorld(SceneData& data, btRigidBody& body, const std::string& layer) {
    const bool isCharacter = btPliantCharacter::upcast(static_cast<btCollisionObject*>(&body)) != nullptr;
    if (layer.empty() && isCharacter)  // Bullet would let driven bodies meet neither static ones nor each other
        return data.world.addRigidBody(&body, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
    if (layer.empty()) return data.world.addRigidBody(&body);
    const FilterWords words = filterOf(data.scene, layer);
    data.world.addRigidBody(&body, words.group, words.mask);
}

void nameLayers(SceneData& data) {
    for (const Layer& layer : data.scene.layers) {
        std::vector<btRigidBody*>& named = data.named[layer.name];
        named.clear();
        for (const btPliantScene::Deformable& deformable : data.deformables)
            if (layerOf(data, *deformable.m_body) == layer.name) named.push_back(deformable.m_body);
        for (const btPliantScene::Rigid& rigid : data.rigids)
            if (layerOf(data, *rigid.m_body) == layer.name) named.push_back(rigid.m_body);
    }
}

}  // namespace btPliantInternal
