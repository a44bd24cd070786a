// SPDX-License-Identifier: Zlib
// What stands around the examples of docs/characters.md, docs/osg-nodes.md and docs/scene.md that draw.
#include <btBulletDynamicsCommon.h>

#include <osgUtil/LineSegmentIntersector>

#include "btPliant/btPliantDebugShapes.h"
#include "btPliant/btPliantSystem.h"
#include "btPliantScene/btPliantScene.h"
#include "osgPliant/BodyPoint.h"
#include "osgPliant/CharacterGroup.h"
#include "osgPliant/DebugDrawing.h"
#include "osgPliantScene/SceneNode.h"
#include "pliant/rig/PoseMotion.h"
#include "pliant/runtime/BodyBatch.h"
#include "pliant/scene/SceneModels.h"
#include "pliant/scene/SceneReader.h"

namespace doc_snippets {

void crowd(const std::shared_ptr<const pliant::CharacterModel>& fox, osg::Group* scene, double time, int i, int body,
           const pliant::BodyBatch& batch) {
    std::vector<pliant::MovingFrame> bones;
#include "characters/4.inc"
}

void lampOnABody(osgPliant::BodyGroup* group, osg::Node* lamp,
                 const osgUtil::LineSegmentIntersector::Intersection& intersection) {
#include "osg-nodes/1.inc"
}

void whatCannotBeSeen(btPliantSystem& pliantSystem, const osg::ref_ptr<osgPliant::DebugDrawing>& drawing) {
#include "osg-nodes/2.inc"
}

void sceneInAProgram(btDiscreteDynamicsWorld& world, const osg::ref_ptr<osg::Group>& stage, bool running) {
#include "scene/1.inc"
}

}  // namespace doc_snippets
