// SPDX-License-Identifier: Zlib
#include "osgPliantScene/SceneNode.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "osgPliant/CharacterGroup.h"
#include "osgPliant/Conversions.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/ModelGeometry.h"
#include "osgPliant/Primitives.h"
#include "osgPliant/Shaders.h"
#include "osgPliant/Skin.h"
#include "pliant/math/Error.h"
#include "pliant/scene/HeightReader.h"
#include "pliant/scene/RigidSurface.h"

namespace osgPliant {
namespace {

namespace scene = pliant::scene;
using pliant::Vector3;

osg::Vec3f toFloat(const Vector3& v) {
    return osg::Vec3f(toOsg(v));
}

PrimitiveLook lookOf(const scene::Colour& colour, double grid = 0.0) {
    PrimitiveLook look;
    look.colour.set(static_cast<float>(colour[0]), static_cast<float>(colour[1]), static_cast<float>(colour[2]), 1.0f);
    look.grid = static_cast<float>(grid);
    return look;
}

/// Roughness 0 to 1 as an exponent of Blinn's highlight (2 / r^4 - 2, Walter et al. 2007), within OpenGL's range.
double exponentOf(double roughness) {
    const double r = std::max(roughness, 0.2);
    return std::clamp(2.0 / (r * r * r * r) - 2.0, 1.0, 128.0);
}

/// How much a material reflects as a mirror does: metals in their colour, others a twentieth of white.
Vector3 mirrored(const scene::Material& material, const Vector3& colour) {
    return material.metal * colour + (1.0 - material.metal) * Vector3::Constant(0.05);
}

PrimitiveLook lookOf(const scene::Material& material, const scene::Colour& plain) {
    PrimitiveLook look = lookOf(material.colour.value_or(plain));
    look.colour.a() = static_cast<float>(material.opacity);
    look.specular =
        static_cast<float>(mirrored(material, Vector3(look.colour.r(), look.colour.g(), look.colour.b())).mean());
    look.shininess = static_cast<float>(exponentOf(material.roughness));
    return look;
}

/// The model with materials of the scene in place of its own, for the picture only.
std::shared_ptr<const pliant::ReducedModel> dressed(const std::shared_ptr<const pliant::ReducedModel>& model,
                                                    const scene::MaterialPairs& materials,
                                                    const scene::SceneDescription& scene) {
    const auto copy = std::make_shared<pliant::ReducedModel>(*model);
    for (pliant::SurfaceMaterial& target : copy->surface.materials)
        for (const auto& [ofMesh, own] : materials) {
            const scene::Material* material = scene.material(own);
            if (target.name != ofMesh || !material) continue;
            if (material->colour)
                target.diffuse = Vector3((*material->colour)[0], (*material->colour)[1], (*material->colour)[2]);
            else if (!material->texture.empty())
                target.diffuse = Vector3::Ones();
            if (material->colour && material->texture.empty()) target.diffuseTexture.clear();
            if (!material->texture.empty()) target.diffuseTexture = material->texture;
            target.specular = mirrored(*material, target.diffuse);
            target.shininess = exponentOf(material->roughness);
            target.opacity = material->opacity;
        }
    return copy;
}

/// The model with one colour in place of its own, for the picture only.
std::shared_ptr<const pliant::ReducedModel> painted(const std::shared_ptr<const pliant::ReducedModel>& model,
                                                    const scene::Colour& colour) {
    const auto copy = std::make_shared<pliant::ReducedModel>(*model);
    copy->surface.colours.resize(4, 0);
    for (pliant::SurfaceMaterial& material : copy->surface.materials) {
        material.diffuse = Vector3(colour[0], colour[1], colour[2]);
        material.diffuseTexture.clear();
    }
    return copy;
}

}  // namespace

namespace {

/// A shape of a few numbers. @param Sized a RigidGroup or a RigidPart
template <class Sized>
osg::ref_ptr<osg::Geometry> createSimple(const Sized& sized, const PrimitiveLook& look) {
    const auto radius = static_cast<float>(sized.radius), height = static_cast<float>(sized.height);
    switch (sized.shape) {
        case scene::RigidShape::Box:
            return createBox(toFloat(0.5 * sized.size), look);
        case scene::RigidShape::Capsule:
            return createCapsule(radius, height, 2, look);
        case scene::RigidShape::Cylinder:
            return createCylinder(radius, height, 2, look);
        case scene::RigidShape::Cone:
            return createCone(radius, height, 2, look);
        default:
            return createSphere(radius, look);
    }
}

/// Three a triangle.
std::vector<unsigned int> indicesOf(const pliant::SurfaceMesh& mesh) {
    std::vector<unsigned int> indices;
    for (int t = 0; t < mesh.triangleCount(); ++t)
        for (int c = 0; c < 3; ++c) indices.push_back(static_cast<unsigned int>(mesh.triangles(c, t)));
    return indices;
}

/// Several parts as one drawable.
osg::ref_ptr<osg::Geometry> createParts(const std::vector<scene::RigidPart>& parts, const PrimitiveLook& look) {
    const osg::ref_ptr<osg::Geometry> whole = createSimple(parts[0], look);
    const osg::ref_ptr<osg::Vec3Array> positions = new osg::Vec3Array, normals = new osg::Vec3Array;
    const osg::ref_ptr<osg::DrawElementsUInt> triangles = new osg::DrawElementsUInt(GL_TRIANGLES);
    for (const scene::RigidPart& part : parts) {
        const osg::ref_ptr<osg::Geometry> one = createSimple(part, look);
        const auto first = static_cast<unsigned int>(positions->size());
        const osg::Matrixd place = toOsg(part.place);
        for (const osg::Vec3f& x : static_cast<const osg::Vec3Array&>(*one->getVertexArray()))
            positions->push_back(osg::Vec3f(osg::Vec3d(x) * place));
        for (const osg::Vec3f& n : static_cast<const osg::Vec3Array&>(*one->getNormalArray()))
            normals->push_back(osg::Vec3f(osg::Matrixd::transform3x3(osg::Vec3d(n), place)));
        for (const unsigned int index : static_cast<const osg::DrawElementsUInt&>(*one->getPrimitiveSet(0)))
            triangles->push_back(first + index);
    }
    whole->setVertexArray(positions);
    whole->setNormalArray(normals, osg::Array::BIND_PER_VERTEX);
    whole->setPrimitiveSet(0, triangles);
    return whole;
}

/// The convex hull of balls: of every direction of a sphere the point that is farthest along it.
osg::ref_ptr<osg::Geometry> createHullOfSpheres(const std::vector<scene::RigidPart>& parts, const PrimitiveLook& look) {
    const osg::ref_ptr<osg::Geometry> hull = createSphere(1.0f, look);
    auto& positions = static_cast<osg::Vec3Array&>(*hull->getVertexArray());
    const auto& normals = static_cast<const osg::Vec3Array&>(*hull->getNormalArray());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const osg::Vec3f n = normals[i];
        const auto reach = [&](const scene::RigidPart& part) {
            return toFloat(part.place.translation) * n + static_cast<float>(part.radius);
        };
        const auto farthest =
            std::max_element(parts.begin(), parts.end(),
                             [&](const scene::RigidPart& a, const scene::RigidPart& b) { return reach(a) < reach(b); });
        positions[i] = toFloat(farthest->place.translation) + n * static_cast<float>(farthest->radius);
    }
    return hull;
}

}  // namespace

osg::ref_ptr<osg::Geometry> createRigidShape(const scene::SceneDescription& scene, const scene::RigidGroup& group) {
    const scene::Material* material = scene.material(group.material);
    const PrimitiveLook look = material ? lookOf(*material, group.colour) : lookOf(group.colour);
    if (group.shape == scene::RigidShape::Compound && !group.parts.empty()) return createParts(group.parts, look);
    if (group.shape == scene::RigidShape::MultiSphere && !group.parts.empty())
        return createHullOfSpheres(group.parts, look);
    const bool isField = group.shape == scene::RigidShape::HeightField && group.heights;
    const bool isSurface = group.shape == scene::RigidShape::Mesh || group.shape == scene::RigidShape::Hull;
    if (!isField && !isSurface) return createSimple(group, look);
    const pliant::SurfaceMesh field = isField ? scene::surfaceOf(*group.heights) : pliant::SurfaceMesh();
    const pliant::SurfaceMesh& mesh = isField ? field : scene::surfaceOf(group);
    std::vector<osg::Vec3f> points;
    for (int i = 0; i < mesh.vertexCount(); ++i) points.push_back(toFloat(mesh.positions.col(i)));
    return createTriangles(points, indicesOf(mesh), look);
}

std::shared_ptr<const pliant::ReducedModel> dressedModel(const scene::SceneDescription& scene, int model,
                                                         const std::shared_ptr<const pliant::ReducedModel>& original,
                                                         const scene::MaterialPairs& materials) {
    const scene::ModelEntry& entry = scene.models[static_cast<std::size_t>(model)];
    const auto base = entry.colour ? painted(original, *entry.colour) : original;
    return materials.empty() ? base : dressed(base, materials, scene);
}

namespace {

/// What of the scene's materials is no number of the model's.
void dress(const scene::SceneDescription& scene, const scene::MaterialPairs& pairs, ModelGeometry& geometry) {
    const std::vector<pliant::SurfaceMaterial>& materials = geometry.getModel()->surface.materials;
    for (const auto& [ofMesh, own] : pairs)
        for (std::size_t m = 0; m < materials.size(); ++m) {
            const scene::Material* material = scene.material(own);
            if (!material || materials[m].name != ofMesh) continue;
            const bool hasTexcoords = geometry.getModel()->surface.texcoords.cols() > 0;
            geometry.dressMaterial(static_cast<int>(m), hasTexcoords ? material->normalMap : "", material->twoSided);
        }
}

constexpr double kLampOverSun = 2.0;  // about what the sun of a Stage sheds

osg::Vec3f toFloat(const scene::Colour& colour) {
    return toFloat(Vector3(colour[0], colour[1], colour[2]));
}

void surround(const scene::Environment& around, StageSettings& settings) {
    if (around.zenith) settings.zenith = toFloat(*around.zenith);
    if (around.horizon) settings.horizon = toFloat(*around.horizon);
    if (around.above) settings.skyLight = toFloat(*around.above);
    if (around.below) settings.groundLight = toFloat(*around.below);
    if (around.haze) settings.haze = static_cast<float>(*around.haze);
    settings.skyImage = around.image;
    settings.exposure = static_cast<float>(around.exposure);
}

}  // namespace

namespace {

/// That of the sun's light at a time, s.
osg::Vec3f sunColour(const scene::SceneDescription& scene, double time) {
    const double brightness =
        scene.timeline.ofPicture(scene::LivePath::Kind::SunBrightness, "", 0, time).value_or(scene.light.brightness);
    osg::Vec3f colour = StageSettings().sunColour;
    colour *= static_cast<float>(brightness);
    for (int i = 0; i < 3; ++i) colour[i] *= static_cast<float>(scene.light.colour[static_cast<std::size_t>(i)]);
    return colour;
}

}  // namespace

osg::ref_ptr<Stage> createStage(const scene::SceneDescription& scene, const scene::Bounds& bounds) {
    StageSettings settings;
    settings.up = toFloat(scene.up());
    const Vector3 side = scene::horizontal(scene.up());
    const Vector3 overTheShoulder = 0.45 * side + 0.85 * scene.up() - 0.35 * side.cross(scene.up());
    settings.towardsSun = toFloat(scene.light.direction ? Vector3(-*scene.light.direction) : overTheShoulder);
    settings.sunColour = sunColour(scene, 0.0);
    settings.shadows = scene.light.shadow;
    const scene::Light& sun = scene.light;
    settings.shadowSoftness = static_cast<float>(sun.softness);
    settings.shadowDistance = static_cast<float>(sun.shadowDistance);
    settings.haze = static_cast<float>(0.012 / bounds.radius());
    surround(scene.environment, settings);
    osg::ref_ptr<Stage> stage = new Stage(settings);
    setLamps(scene, 0.0, *stage);
    return stage;
}

void setLights(const scene::SceneDescription& scene, double time, Stage& stage) {
    for (const scene::Animation& animation : scene.timeline.animations)
        if (animation.path.kind == scene::LivePath::Kind::SunBrightness) stage.setSunColour(sunColour(scene, time));
    if (!scene.lamps.empty()) setLamps(scene, time, stage);
}

void setLamps(const scene::SceneDescription& scene, double time, Stage& stage) {
    std::vector<Lamp> lamps;
    for (const scene::Lamp& described : scene.lamps) {
        Lamp lamp;
        const auto led = [&](scene::LivePath::Kind kind, int axis, const scene::LiveNumber& number) {
            const auto value = scene.timeline.ofPicture(kind, described.name, axis, time);
            return value && !described.name.empty() ? *value : number.at(time);
        };
        using Kind = scene::LivePath::Kind;
        const Vector3 at(led(Kind::LampPosition, 0, described.at[0]), led(Kind::LampPosition, 1, described.at[1]),
                         led(Kind::LampPosition, 2, described.at[2]));
        lamp.position = toFloat(at);
        if (described.isSpot) {
            lamp.axis = toFloat(described.to - at);
            lamp.cone = static_cast<float>(described.cone);
        }
        const double brightness = kLampOverSun * led(Kind::LampBrightness, 0, described.brightness);
        const auto& c = described.colour;
        lamp.colour = toFloat(brightness * Vector3(c[0], c[1], c[2]));
        lamps.push_back(lamp);
    }
    stage.setLamps(lamps);
}

CameraPlace cameraPlace(const scene::ViewPoint& view) {
    CameraPlace place;
    place.eye = toOsg(view.eye);
    place.centre = toOsg(view.centre);
    place.up = uprightFor(place.eye, place.centre, toOsg(view.up));
    place.fieldOfView = view.fieldOfView;
    return place;
}

namespace {

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
    for (const scene::RigidGroup& group : scene.rigid) addRigids(scene, group);
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
    addChild(createPlane(toFloat(scene.up()), static_cast<float>(scene.ground->height), static_cast<float>(40.0 * size),
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

void SceneNode::addRigids(const scene::SceneDescription& scene, const scene::RigidGroup& group) {
    const osg::ref_ptr<osg::Geometry> drawable = createRigidShape(scene, group);
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
