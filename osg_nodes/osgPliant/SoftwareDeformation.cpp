// SPDX-License-Identifier: Zlib
#include "osgPliant/SoftwareDeformation.h"

#include <algorithm>
#include <osg/Geode>
#include <osg/Geometry>
#include <osg/Material>

#include "osgPliant/BodyStates.h"
#include "osgPliant/Shaders.h"
#include "osgPliant/SkinTemplate.h"

namespace osgPliant {

/// A geometry of a body, and the rows of the deformation that move its vertices.
struct PlainPart {
    osg::ref_ptr<osg::Geometry> geometry;
    osg::ref_ptr<const osg::Vec3Array> restNormals;  ///< null where it has none for each vertex
    Eigen::Index offset = 0;
};

namespace {

/// An array with a buffer object of its own. A geometry would put it into that of its other arrays, which are those of
/// other bodies and groups, too: draw threads may be at that one when this array goes.
template <typename Array>
osg::ref_ptr<Array> inOwnBuffer(Array* array) {
    array->setVertexBufferObject(new osg::VertexBufferObject);
    return array;
}

/// The geometry gets arrays of its own for what moves; all other arrays stay shared.
PlainPart makeOwn(osg::Geometry& geometry, int offset) {
    PlainPart part;
    part.geometry = &geometry;
    part.offset = offset;
    const auto& positions = static_cast<const osg::Vec3Array&>(*geometry.getVertexArray());
    geometry.setVertexArray(inOwnBuffer(new osg::Vec3Array(positions, osg::CopyOp::DEEP_COPY_ALL)));
    const auto* normals = dynamic_cast<const osg::Vec3Array*>(geometry.getNormalArray());
    if (normals && geometry.getNormalBinding() == osg::Geometry::BIND_PER_VERTEX &&
        normals->size() == positions.size()) {
        part.restNormals = normals;
        geometry.setNormalArray(inOwnBuffer(new osg::Vec3Array(*normals, osg::CopyOp::DEEP_COPY_ALL)),
                                osg::Array::BIND_PER_VERTEX);
    }
    geometry.setDataVariance(osg::Object::DYNAMIC);
    return part;
}

/// A geometry that would stand in a group, in a geode: many exporters look for geometries there alone.
osg::ref_ptr<osg::Node> inGeode(const osg::ref_ptr<osg::Node>& node, const osg::Group& parent) {
    if (!node->asGeometry() || parent.asGeode()) return node;
    const osg::ref_ptr<osg::Geode> geode = new osg::Geode;
    geode->addDrawable(node->asGeometry());
    return geode;
}

/// A copy of a node whose geometries have arrays of their own for what moves; state sets stay shared.
osg::ref_ptr<osg::Node> copyPlain(const osg::Node& node, std::vector<PlainPart>& parts) {
    if (const osg::Geometry* geometry = node.asGeometry()) {
        osg::ref_ptr<osg::Geometry> copy = new osg::Geometry(*geometry, osg::CopyOp::DEEP_COPY_PRIMITIVES);
        parts.push_back(makeOwn(*copy, offsetOf(*geometry)));
        return copy;
    }
    osg::ref_ptr<osg::Node> copy = osg::clone(&node, osg::CopyOp::SHALLOW_COPY);
    osg::Group* group = copy->asGroup();
    const osg::Group* from = node.asGroup();
    for (unsigned int i = 0; group && from && i < from->getNumChildren(); ++i)
        group->setChild(i, inGeode(copyPlain(*from->getChild(i), parts), *group));
    return copy;
}

}  // namespace

namespace {

osg::Vec4 times(const osg::Vec4& a, const osg::Vec4& b) {
    return {a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]};
}

/// Multiplies what a geometry is drawn with: its colours, where it has some, and the material that it is drawn with,
/// which a copy of the body's own takes the place of. @param material may be null
void multiply(osg::Geometry& geometry, const osg::Material* material, const osg::Vec4& colour) {
    if (const auto* colours = dynamic_cast<const osg::Vec4Array*>(geometry.getColorArray())) {
        const osg::ref_ptr<osg::Vec4Array> own = inOwnBuffer(new osg::Vec4Array(*colours, osg::CopyOp::DEEP_COPY_ALL));
        for (osg::Vec4& one : *own) one = times(one, colour);
        geometry.setColorArray(own, colours->getBinding());
    } else {
        const osg::ref_ptr<osg::Vec4Array> own = inOwnBuffer(new osg::Vec4Array(1));
        own->front() = colour;
        geometry.setColorArray(own, osg::Array::BIND_OVERALL);
    }
    if (!material) return;
    const osg::ref_ptr<osg::Material> own = new osg::Material(*material);
    const auto face = osg::Material::FRONT_AND_BACK;
    own->setAmbient(face, times(material->getAmbient(osg::Material::FRONT), colour));
    own->setDiffuse(face, times(material->getDiffuse(osg::Material::FRONT), colour));
    const osg::StateSet* before = geometry.getStateSet();
    const osg::ref_ptr<osg::StateSet> state = before ? new osg::StateSet(*before) : new osg::StateSet;
    state->setAttributeAndModes(own);
    geometry.setStateSet(state);
}

/// multiply() of every geometry below a node. @param material of what is above
void multiplyAll(osg::Node& node, const osg::Material* material, const osg::Vec4& colour) {
    if (const osg::StateSet* state = node.getStateSet())
        if (const auto* own = state->getAttribute(osg::StateAttribute::MATERIAL))
            material = static_cast<const osg::Material*>(own);
    if (osg::Geometry* geometry = node.asGeometry()) multiply(*geometry, material, colour);
    osg::Group* group = node.asGroup();
    for (unsigned int i = 0; group && i < group->getNumChildren(); ++i)
        multiplyAll(*group->getChild(i), material, colour);
}

}  // namespace

struct SoftwareDeformation::Body {
    osg::ref_ptr<osg::Node> root;
    std::vector<PlainPart> parts;
    osg::Vec4 colour = osg::Vec4(1.0f, 1.0f, 1.0f, 1.0f);  ///< that it was made in

    void move(const Deformation& deformation, const BodyStates& states);
};

/// @param states of one body
void SoftwareDeformation::Body::move(const Deformation& deformation, const BodyStates& states) {
    const osg::Matrixd frame = states.nodeFromPlaced(deformation, 0);
    const pliant::PointsF x = states.placedPositions(deformation, 0);
    const std::vector<pliant::AffineMap> bones = states.placedBones(deformation, 0);
    pliant::PointsF n = pliant::PointsF::Zero(3, x.cols());
    for (const PlainPart& part : parts) {
        auto& positions = static_cast<osg::Vec3Array&>(*part.geometry->getVertexArray());
        for (std::size_t v = 0; v < positions.size(); ++v) {
            const Eigen::Index row = part.offset + static_cast<Eigen::Index>(v);
            positions[v] = osg::Vec3(osg::Vec3d(x(0, row), x(1, row), x(2, row)) * frame);
        }
        for (std::size_t v = 0; part.restNormals && v < positions.size(); ++v) {
            const osg::Vec3& rest = (*part.restNormals)[v];
            n.col(part.offset + static_cast<Eigen::Index>(v)) << rest.x(), rest.y(), rest.z();
        }
        positions.dirty();
        part.geometry->dirtyBound();
        part.geometry->dirtyGLObjects();
    }
    n = deformation.getNormals(states.qOf(0), bones.data(), n);
    for (const PlainPart& part : parts) {
        if (!part.restNormals) continue;
        auto& normals = static_cast<osg::Vec3Array&>(*part.geometry->getNormalArray());
        for (std::size_t v = 0; v < normals.size(); ++v) {
            const Eigen::Index row = part.offset + static_cast<Eigen::Index>(v);
            const osg::Vec3d normal(n(0, row), n(1, row), n(2, row));
            normals[v] = osg::Vec3(
                osg::Matrixd::transform3x3(normal * static_cast<double>((*part.restNormals)[v].length()), frame));
        }
        normals.dirty();
    }
}

SoftwareDeformation::SoftwareDeformation() : SoftwareDeformation(nullptr) {}

SoftwareDeformation::SoftwareDeformation(const BodyGroup* group) : _group(group) {
    setNumChildrenRequiringUpdateTraversal(getNumChildrenRequiringUpdateTraversal() + 1);
}

SoftwareDeformation::SoftwareDeformation(const SoftwareDeformation& other, const osg::CopyOp& copyop)
    : osg::Group(other, copyop), _group(other._group) {
    removeChildren(0, getNumChildren());
    setNumChildrenRequiringUpdateTraversal(getNumChildrenRequiringUpdateTraversal() + 1);
}

SoftwareDeformation::~SoftwareDeformation() = default;

std::unique_ptr<SoftwareDeformation::Body> SoftwareDeformation::createBody() const {
    auto body = std::make_unique<Body>();
    if (const Skin* skin = _group->getSkin()) {
        body->root = copyPlain(*skin->getTemplate(), body->parts);
        return body;
    }
    const osg::ref_ptr<osg::Geode> root = new osg::Geode;
    for (const auto& geometry : _group->getModelGeometry()->createParts(0)) {
        geometry->setVertexAttribArray(vertexNumberSlot, nullptr);
        body->parts.push_back(makeOwn(*geometry, 0));
        root->addChild(geometry);
    }
    body->root = root;
    return body;
}

void SoftwareDeformation::follow() {
    const Deformation* deformation = _group ? _group->getDeformation() : nullptr;
    if (_look != deformation) {
        removeChildren(0, getNumChildren());
        _bodies.clear();
        _look = deformation;
    }
    if (!deformation) return;
    const auto count = static_cast<std::size_t>(_group->getBodyCount());
    while (_bodies.size() < count) {
        _bodies.push_back(createBody());
        addChild(_bodies.back()->root);
    }
    if (_bodies.size() > count) {
        removeChildren(static_cast<unsigned int>(count), static_cast<unsigned int>(_bodies.size() - count));
        _bodies.resize(count);
    }
    BodyStates one;
    one.setLayout(deformation->getDimension(), deformation->getBoneCount());
    one.resize(1);
    for (std::size_t i = 0; i < count; ++i) {
        const int body = static_cast<int>(i);
        const osg::Vec4 colour = _group->getColour(body);
        if (colour != _bodies[i]->colour) {
            _bodies[i] = createBody();
            _bodies[i]->colour = colour;
            multiplyAll(*_bodies[i]->root, nullptr, colour);
            setChild(static_cast<unsigned int>(i), _bodies[i]->root);
        }
        const bool shown = _group->getBody(body, one.body(0).worldFromBody, one.q) && _group->getBones(body, one.bones);
        _bodies[i]->root->setNodeMask(shown ? ~0u : 0u);
        if (shown) _bodies[i]->move(*deformation, one);
    }
}

void SoftwareDeformation::traverse(osg::NodeVisitor& visitor) {
    if (visitor.getVisitorType() == osg::NodeVisitor::UPDATE_VISITOR) follow();
    osg::Group::traverse(visitor);
}

}  // namespace osgPliant
