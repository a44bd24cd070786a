// SPDX-License-Identifier: Zlib
#include "osgPliant/SkinTemplate.h"

#include <osg/Billboard>
#include <osg/LOD>
#include <osg/PagedLOD>
#include <osg/Switch>
#include <osg/Transform>
#include <osg/TriangleIndexFunctor>
#include <osg/ValueObject>

namespace osgPliant {

namespace {

const char* const offsetName = "pliantOffset";

struct CollectTriangles {
    std::vector<int>* triangles = nullptr;
    int offset = 0;
    void operator()(unsigned int a, unsigned int b, unsigned int c) const {
        if (a == b || b == c || a == c) return;
        for (const unsigned int corner : {a, b, c}) triangles->push_back(offset + static_cast<int>(corner));
    }
};

/// Copies an array of three floats or doubles a vertex with every entry changed by `change`; null for other arrays.
template <typename Change>
osg::ref_ptr<osg::Array> changed(const osg::Array* array, Change change) {
    if (!array) return nullptr;
    osg::ref_ptr<osg::Vec3Array> copy = new osg::Vec3Array(array->getBinding());
    copy->setNormalize(array->getNormalize());
    if (const auto* floats = dynamic_cast<const osg::Vec3Array*>(array)) {
        for (const osg::Vec3& v : *floats) copy->push_back(osg::Vec3(change(osg::Vec3d(v))));
    } else if (const auto* doubles = dynamic_cast<const osg::Vec3dArray*>(array)) {
        for (const osg::Vec3d& v : *doubles) copy->push_back(osg::Vec3(change(v)));
    } else if (const auto* bytes = dynamic_cast<const osg::Vec3bArray*>(array)) {
        for (const osg::Vec3b& v : *bytes) copy->push_back(osg::Vec3(change(osg::Vec3d(v.x(), v.y(), v.z()) / 127.0)));
    } else {
        return nullptr;
    }
    return copy;
}

class Copying {
public:
    explicit Copying(SkinTemplate& result) : _result(result) {}

    /// @param toMesh what transforms above the node do  @param finest whether the node is of the finest level of detail
    osg::ref_ptr<osg::Node> copy(const osg::Node& node, const osg::Matrixd& toMesh, bool finest) {
        if (const osg::Drawable* drawable = node.asDrawable()) return copyDrawable(*drawable, toMesh, finest);
        const osg::Group* group = node.asGroup();
        if (!group) return osg::clone(&node, osg::CopyOp::SHALLOW_COPY);
        osg::Matrixd matrix = toMesh;
        osg::ref_ptr<osg::Group> result = emptyCopy(*group, matrix);
        const auto* levels = dynamic_cast<const osg::LOD*>(group);
        const auto* choice = dynamic_cast<const osg::Switch*>(group);
        const auto* billboard = dynamic_cast<const osg::Billboard*>(group);
        for (unsigned int i = 0; i < group->getNumChildren(); ++i) {
            osg::Matrixd childToMesh = matrix;
            if (billboard && i < billboard->getPositionList().size())
                childToMesh.preMultTranslate(osg::Vec3d(billboard->getPosition(i)));
            const bool drawn = (!levels || i == finestOf(*levels)) && (!choice || choice->getValue(i));
            osg::ref_ptr<osg::Node> child = copy(*group->getChild(i), childToMesh, finest && drawn);
            if (!child && result->asGeode()) continue;  // visitors take its children for drawables
            if (!child) child = new osg::Group;         // so that ranges and values keep their children
            result->addChild(child);
            if (levels) static_cast<osg::LOD&>(*result).setRange(i, levels->getMinRange(i), levels->getMaxRange(i));
            if (choice) static_cast<osg::Switch&>(*result).setValue(i, choice->getValue(i));
        }
        return result;
    }

private:
    static unsigned int finestOf(const osg::LOD& levels) {
        unsigned int finest = 0;
        const bool byDistance = levels.getRangeMode() == osg::LOD::DISTANCE_FROM_EYE_POINT;
        for (unsigned int i = 1; i < levels.getNumRanges(); ++i) {
            const bool finer = byDistance ? levels.getMinRange(i) < levels.getMinRange(finest)
                                          : levels.getMaxRange(i) > levels.getMaxRange(finest);
            if (finer) finest = i;
        }
        return finest;
    }

    /// The group without children; a plain group for transforms, whose matrix goes into `toMesh`, and for billboards.
    osg::ref_ptr<osg::Group> emptyCopy(const osg::Group& group, osg::Matrixd& toMesh) {
        osg::ref_ptr<osg::Group> result;
        if (const osg::Transform* transform = group.asTransform()) {
            transform->computeLocalToWorldMatrix(toMesh, nullptr);
            result = new osg::Group;
            result->setStateSet(const_cast<osg::StateSet*>(group.getStateSet()));
            result->setName(group.getName());
            result->setNodeMask(group.getNodeMask());
            return result;
        }
        if (const auto* levels = dynamic_cast<const osg::LOD*>(&group)) {
            osg::ref_ptr<osg::LOD> lod = new osg::LOD;  // of a PagedLOD what is loaded
            lod->setName(group.getName());
            lod->setStateSet(const_cast<osg::StateSet*>(group.getStateSet()));
            lod->setNodeMask(group.getNodeMask());
            lod->setRangeMode(levels->getRangeMode());
            lod->setCenter(levels->getCenter() * toMesh);
            lod->setRadius(levels->getRadius() > 0.0f ? levels->getRadius() : levels->getBound().radius());
            lod->setCenterMode(osg::LOD::USER_DEFINED_CENTER);
            return lod;
        }
        if (dynamic_cast<const osg::Billboard*>(&group)) {
            ++_result.billboards;
            result = new osg::Group(group, osg::CopyOp::SHALLOW_COPY);
        } else {
            result = osg::clone(&group, osg::CopyOp::SHALLOW_COPY);
        }
        result->removeChildren(0, result->getNumChildren());
        return result;
    }

    osg::ref_ptr<osg::Node> copyDrawable(const osg::Drawable& drawable, const osg::Matrixd& toMesh, bool finest) {
        const osg::Geometry* geometry = drawable.asGeometry();
        const osg::ref_ptr<osg::Array> positions =
            changed(geometry ? geometry->getVertexArray() : nullptr, [&](const osg::Vec3d& x) { return x * toMesh; });
        if (!positions || positions->getNumElements() == 0) {
            ++(geometry ? _result.unbound : _result.leftOut);
            return nullptr;
        }
        const osg::CopyOp flags(osg::CopyOp::DEEP_COPY_PRIMITIVES);
        osg::ref_ptr<osg::Geometry> result = new osg::Geometry(*geometry, flags);
        result->setVertexArray(positions);
        const osg::Matrixd back = osg::Matrixd::inverse(toMesh);
        const bool moved = !toMesh.isIdentity();
        const osg::ref_ptr<osg::Array> normals = changed(geometry->getNormalArray(), [&](const osg::Vec3d& n) {
            if (!moved) return n;
            osg::Vec3d turned = osg::Matrixd::transform3x3(back, n);
            turned.normalize();
            return turned * n.length();
        });
        if (normals) result->setNormalArray(normals, static_cast<osg::Array::Binding>(geometry->getNormalBinding()));
        result->setUseDisplayList(false);  // instanced draws paint nothing from display lists
        result->setUseVertexBufferObjects(true);
        number(*result, finest);
        return result;
    }

    void number(osg::Geometry& geometry, bool finest) {
        const int offset = static_cast<int>(_result.positions.size());
        geometry.setUserValue(offsetName, offset);
        const auto& positions = static_cast<const osg::Vec3Array&>(*geometry.getVertexArray());
        const auto* normals = dynamic_cast<const osg::Vec3Array*>(geometry.getNormalArray());
        const bool each =
            normals && normals->getBinding() == osg::Array::BIND_PER_VERTEX && normals->size() == positions.size();
        for (std::size_t v = 0; v < positions.size(); ++v) {
            _result.positions.emplace_back(positions[v]);
            _result.normals.push_back(each ? osg::Vec3d((*normals)[v]) : osg::Vec3d());
        }
        if (!finest) return;
        osg::TriangleIndexFunctor<CollectTriangles> collect;
        collect.triangles = &_result.triangles;
        collect.offset = offset;
        geometry.accept(collect);
    }

    SkinTemplate& _result;
};

}  // namespace

SkinTemplate makeSkinTemplate(const osg::Node& node) {
    SkinTemplate result;
    result.root = Copying(result).copy(node, osg::Matrixd(), true);
    return result;
}

int offsetOf(const osg::Geometry& geometry) {
    int offset = 0;
    geometry.getUserValue(offsetName, offset);
    return offset;
}

}  // namespace osgPliant
