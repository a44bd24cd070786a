// SPDX-License-Identifier: Zlib
/// @file
/// The picture of a scene file in the user's own graph.
#pragma once

#include <memory>
#include <osg/MatrixTransform>
#include <osg/ref_ptr>
#include <vector>

#include "osgPliant/BodyGroup.h"
#include "osgPliant/Links.h"
#include "osgPliant/Stage.h"
#include "pliant/math/Api.h"
#include "pliant/scene/ModelLooks.h"
#include "pliant/scene/SceneBounds.h"
#include "pliant/scene/SceneDescription.h"
#include "pliant/scene/SceneModels.h"
#include "pliant/scene/ScenePoses.h"

namespace osgPliant {

/// What of a scene is drawn.
struct SceneNodeOptions {
    bool joints = true;  ///< Pins, rods and hooks at joints, which have no shape of their own.
    /// Whether everything is drawn by osgPliant's own shaders, which want a Stage above them; false: by the programs,
    /// lights and shadows of the graph that the node stands in, or fixed function, with plain materials and textures.
    bool ofStage = true;
};

/// Where a camera stands.
struct CameraPlace {
    osg::Vec3d eye;             ///< The eye, m.
    osg::Vec3d centre;          ///< What it looks at, m.
    osg::Vec3d up;              ///< What is up in the picture; never along the line of sight.
    double fieldOfView = 35.0;  ///< Vertical, degrees.
};

/// A view point for OpenSceneGraph's cameras, straight up and down included.
PLIANT_API CameraPlace cameraPlace(const pliant::scene::ViewPoint& view);

/// A stage with the scene's light, and haze that fits its size.
PLIANT_API osg::ref_ptr<Stage> createStage(const pliant::scene::SceneDescription& scene,
                                           const pliant::scene::Bounds& bounds);

/// Gives the scene's lamps the places and brightnesses of a time, s; between frames or in the update traversal.
PLIANT_API void setLamps(const pliant::scene::SceneDescription& scene, double time, Stage& stage);

/// Gives all lights of the scene, the sun too, what animations and expressions make of them at a time, s; between
/// frames or in the update traversal.
PLIANT_API void setLights(const pliant::scene::SceneDescription& scene, double time, Stage& stage);

/// The drawable of a rigid group, in the frame that the scene's file means.
/// @param scene has the materials
/// @param group what is drawn
/// @param reach half of the side of what has no end, m
/// @throws pliant::Error at the group, where a mesh or a hull of a program's own making has no surface
PLIANT_API osg::ref_ptr<osg::Geometry> createRigidShape(const pliant::scene::SceneDescription& scene,
                                                        const pliant::scene::RigidGroup& group, double reach = 100.0);
/// A model of a scene as it is drawn: with the colour or the materials that the scene gives it.
/// @param scene has an entry for it
/// @param model index of the entry
/// @param original what was loaded
/// @param materials of one of its looks (ModelLooks.h)
PLIANT_API std::shared_ptr<const pliant::ReducedModel> dressedModel(
    const pliant::scene::SceneDescription& scene, int model,
    const std::shared_ptr<const pliant::ReducedModel>& original, const pliant::scene::MaterialPairs& materials);

/// The bodies of a scene file, its rigid shapes, ground and joints: nodes that show poses. Knows nothing of physics,
/// windows, files and time.
///
///     osg::ref_ptr<osgPliant::SceneNode> picture = new osgPliant::SceneNode(scene, models, physics.getBounds());
///     stage->addChild(picture);
///     ... picture->show(physics.getPoses()); ...
///
/// Its drawables have osgPliant's shaders: put it below a Stage, the scene's own (createStage()) or another one. With
/// SceneNodeOptions::ofStage = false it belongs anywhere in a graph of your own.
class PLIANT_API SceneNode : public osg::Group {
public:
    /// A node of nothing.
    SceneNode() = default;
    /// The picture of a scene; bodies are hidden until the first show().
    /// @param scene what there is
    /// @param models one an entry of the scene
    /// @param bounds of the scene; the ground is made so large that its border is far away
    /// @param options what of it is drawn
    /// @throws pliant::Error where a mesh cannot be read
    SceneNode(const pliant::scene::SceneDescription& scene, const pliant::scene::Models& models,
              const pliant::scene::Bounds& bounds, const SceneNodeOptions& options = {});
    /// A copy with bodies of its own.
    SceneNode(const SceneNode& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
    META_Node(osgPliant, SceneNode)

        /// Puts every node where its body is, between frames or in the update traversal. Poses are those of the same
        /// scene, of whatever run.
        void show(const pliant::scene::ScenePoses& poses);

protected:
    ~SceneNode() override = default;

private:
    void addGround(const pliant::scene::SceneDescription& scene, double size);
    void addRigids(const pliant::scene::SceneDescription& scene, const pliant::scene::RigidGroup& group, double reach);
    void colourBodies(const pliant::scene::SceneDescription& scene);

    /// Bodies of a model that look alike. Each has all bodies of the model and shows its own.
    struct Look {
        osg::ref_ptr<BodyGroup> group;
        std::vector<char> isOwn;  ///< of each body; empty: all are
    };
    std::vector<std::vector<Look>> _bodies;  ///< Of each model.
    std::vector<osg::ref_ptr<osg::MatrixTransform>> _rigids;
    osg::ref_ptr<Links> _links;  ///< Null where joints are not shown.
};

}  // namespace osgPliant
