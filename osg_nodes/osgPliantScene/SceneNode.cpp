// SPDX-License-Identifier: Zlib
#include "osgPliantScene/SceneNode.h"

#include "osgPliant/CharacterGroup.h"
#include "osgPliant/Conversions.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/ModelGeometry.h"
#include "osgPliant/Primitives.h"
#include "osgPliant/Shaders.h"
#include "osgPliant/Skin.h"
#include "osgPliantScene/SceneLooks.h"
#include "pliant/math/Error.h"

namespace osgPliant {

namespace scene = pliant::scene;

CameraPlace cameraPlace(const scene::ViewPoint& view) {
    CameraPlace place;
    place.eye = toOsg(view.eye);
    place.centre = toOsg(view.centre);
    place.up = uprightFor(place.eye, place.centre, toOsg(view.up));
    place.fieldOfView = view.fieldOfView;
    return place;
}

namespace {

constexpr double kFar = 40.0;  // radii of a scene, from where on nobody sees that a plane ends

/// Takes osgPliant's program from what has one: the graph's own, or fixed function, draws it then.
class WithoutPrograms : public osg::NodeVisitor {
public:
    WithoutPrograms() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) { setNodeMaskOverride(~0u); }
    void apply(osg::Node& node) override {
        if (osg::StateSet* state = node.getStateSet()) state->removeAttribute(osg::StateAttribute::PROGRAM);
        traverse(node);
    }
};

/// The bodies of a model. Where they are not of a Stage, its surface is the node of a skin.
osg::ref_ptr<BodyGroup> groupOf(ModelGeometry& geometry, const scene::LoadedModel& model, bool ofStage) {
    if (ofStage) return model.character() ? new CharacterGroup(&geometry) : new BodyGroup(&geometry);
    const osg::ref_ptr<osg::MatrixTransform> node = new osg::MatrixTransform(toOsg(model->meshFromBody));
    for (const osg::ref_ptr<osg::Geometry>& part : geometry.createParts(0)) {
        part->setVertexAttribArray(vertexNumberSlot, nullptr);
        node->addChild(part);
    }
    const auto character = model.character();
    const osg::ref_ptr<Skin> skin = character ? Skin::bind(node, character) : Skin::bind(node, geometry.getModel());
    if (!skin) throw pliant::Error(geometry.getModel()->name, "its surface cannot be bound to its mesh");
    return character ? new CharacterGroup(skin.get()) : new BodyGroup(skin.get());
}

}  // namespace

SceneNode::SceneNode(const scene::SceneDescription& scene, const pliant::scene::Models& models,
                     const scene::Bounds& bounds, const SceneNodeOptions& options) {
    for (std::size_t i = 0; i < models.size(); ++i) {
        const scene::ModelLooks looks = scene::looksOf(scene, static_cast<int>(i));
        _bodies.emplace_back();
        for (std::size_t l = 0; l < looks.materials.size(); ++l) {
            const scene::MaterialPairs& materials = looks.materials[l];
            const auto dressed = dressedModel(scene, static_cast<int>(i), models[i], materials);
            const osg::ref_ptr<ModelGeometry> geometry =
                models[i].character() ? new ModelGeometry(models[i].character(), dressed) : new ModelGeometry(dressed);
            dress(scene, materials, *geometry);
            const osg::ref_ptr<BodyGroup> group = groupOf(*geometry, models[i], options.ofStage);
            _bodies.back().push_back({group, {}});
            if (looks.materials.size() > 1)
                for (const int look : looks.ofBody) _bodies.back().back().isOwn.push_back(look == static_cast<int>(l));
            addChild(_bodies.back().back().group);
        }
    }
    colourBodies(scene);
    for (const scene::RigidGroup& group : scene.rigid) addRigids(scene, group, kFar * bounds.radius());
    if (scene.ground) addGround(scene, bounds.radius());
    if (options.joints && !scene.joints.empty()) {
        _links = new Links;
        addChild(_links);
    }
    if (options.ofStage) return;
    WithoutPrograms visitor;
    for (const auto& rigid : _rigids) rigid->accept(visitor);
    for (unsigned int i = 0; i < getNumChildren(); ++i)
        if (getChild(i)->asGeometry() || getChild(i) == _links) getChild(i)->accept(visitor);
}

SceneNode::SceneNode(const SceneNode& other, const osg::CopyOp& copyop)
    : osg::Group(other, osg::CopyOp(copyop.getCopyFlags() | osg::CopyOp::DEEP_COPY_NODES)) {
    // The copies of the children, which stand in the same order.
    unsigned int child = 0;
    _bodies = other._bodies;
    for (std::vector<Look>& model : _bodies)
        for (Look& look : model) look.group = static_cast<BodyGroup*>(getChild(child++));
    for (std::size_t i = 0; i < other._rigids.size(); ++i)
        _rigids.push_back(static_cast<osg::MatrixTransform*>(getChild(child++)));
    if (other._links) _links = static_cast<Links*>(getChild(getNumChildren() - 1));
}

void SceneNode::addGround(const scene::SceneDescription& scene, double size) {
    const scene::Material* material = scene.material(scene.ground->material);
    PrimitiveLook look = material ? lookOf(*material, {1.0, 1.0, 1.0}) : lookOf(scene.ground->colour, 0.5 * size);
    if (material) {
        look.texture = material->texture;
        look.normalMap = material->normalMap;
        look.tile = static_cast<float>(scene.ground->tile);
    }
    addChild(createPlane(toFloat(scene.up()), static_cast<float>(scene.ground->height), static_cast<float>(kFar * size),
                         look));
}

void SceneNode::colourBodies(const scene::SceneDescription& scene) {
    std::vector<int> counts(_bodies.size(), 0);
    for (const scene::BodyGroup& group : scene.bodies) {
        std::size_t model = 0;
        while (model < counts.size() && scene.models[model].name != group.model) ++model;
        if (model == counts.size()) continue;
        const auto& n = group.placement.count;
        const int first = counts[model];
        counts[model] += n[0] * n[1] * n[2];
        if (group.colours.empty()) continue;
        for (const Look& look : _bodies[model]) {
            look.group->setBodyCount(counts[model]);
            for (int i = 0; first + i < counts[model]; ++i)
                look.group->setColour(
                    first + i,
                    osg::Vec4f(toFloat(group.colours[static_cast<std::size_t>(i) % group.colours.size()]), 1.0f));
        }
    }
}

void SceneNode::addRigids(const scene::SceneDescription& scene, const scene::RigidGroup& group, double reach) {
    const osg::ref_ptr<osg::Geometry> drawable = createRigidShape(scene, group, reach);
    const auto& count = group.placement.count;
    for (int i = 0; i < count[0] * count[1] * count[2]; ++i) {
        _rigids.push_back(new osg::MatrixTransform);
        _rigids.back()->setDataVariance(osg::Object::DYNAMIC);
        _rigids.back()->addChild(drawable);
        addChild(_rigids.back());
    }
}

namespace {

void showLinks(const scene::LinkShapes& shapes, Links& links) {
    std::vector<Links::Rod> rods;
    std::vector<Links::Pin> pins;
    for (const scene::LinkShapes::Rod& rod : shapes.rods) rods.push_back({toOsg(rod.from), toOsg(rod.to), rod.radius});
    for (const scene::LinkShapes::Pin& pin : shapes.pins) pins.push_back({toOsg(pin.centre), pin.radius});
    links.show(rods, pins);
}

}  // namespace

void SceneNode::show(const scene::ScenePoses& poses) {
    for (std::size_t i = 0; i < _bodies.size() && i < poses.models.size(); ++i) {
        for (const Look& look : _bodies[i]) {
            BodyGroup& group = *look.group;
            if (group.getBodyCount() < poses.models[i].count()) group.setBodyCount(poses.models[i].count());
            group.show(poses.models[i]);
            for (int body = 0; body < poses.models[i].count(); ++body) {
                const auto b = static_cast<std::size_t>(body);
                const bool isShown = poses.isShown[i][b] != 0 && (look.isOwn.empty() || look.isOwn[b] != 0);
                if (group.getBodyVisible(body) != isShown) group.setBodyVisible(body, isShown);
            }
        }
    }
    for (std::size_t i = 0; i < _rigids.size() && i < poses.rigid.size(); ++i) {
        _rigids[i]->setMatrix(toOsg(poses.rigid[i]));
        _rigids[i]->setNodeMask(poses.isRigidShown[i] ? ~0u : 0u);
    }
    if (_links) showLinks(poses.links, *_links);
}

}  // namespace osgPliant
