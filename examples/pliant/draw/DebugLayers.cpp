// SPDX-License-Identifier: Zlib
#include "draw/DebugLayers.h"

#include "btPliant/btPliantCharacter.h"
#include "btPliant/btPliantDebugShapes.h"
#include "pliant/view/BoneShapes.h"

namespace pliant::program {

DebugLayers::DebugLayers(SceneView& view, const scene::DebugShow& show)
    : m_drawing(new osgPliant::DebugDrawing), m_show(show) {
    for (int layer = 0; layer < debugLayerCount; ++layer)
        m_drawing->setLayerShown(static_cast<DebugLayer>(layer), show.layers[static_cast<std::size_t>(layer)]);
    m_drawing->setHiddenStrength(static_cast<float>(show.hidden));
    view.root()->addChild(m_drawing);
}

void DebugLayers::follow(const SceneWorld& world) {
    m_shapes.clear();
    m_shapes.wanted = m_drawing->getShownLayers();
    btPliantDebugInfo info;
    info.m_largestPressure = m_show.largestPressure;
    info.m_impulseSeconds = static_cast<btScalar>(m_show.impulseTime);
    if (world.system().getNumBodies() > 0) info.m_pickedBody = world.system().getBody(0);
    btPliantDebugShapes collector(m_shapes, info);
    collector.collect(world.system());
    std::vector<AffineMap> bones;
    for (int i = 0; i < world.system().getNumBodies(); ++i) {
        const btPliantCharacter* character = btPliantCharacter::upcast(world.system().getBody(i));
        if (!character) continue;
        character->getBones(bones);
        addBones(character->getCharacter(), bones.data(), DebugLayer::Frames, m_shapes);
    }
    m_drawing->show(m_shapes);
    m_wereShown = m_drawing->getShownLayers() != 0;
}

}  // namespace pliant::program
