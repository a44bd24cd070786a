// SPDX-License-Identifier: Zlib
#include "osgPliant/SkinLevels.h"

#include <osg/Geometry>
#include <osg/LOD>
#include <osg/NodeVisitor>
#include <osg/Switch>
#include <osg/TriangleIndexFunctor>

#include "osgPliant/Decimate.h"
#include "osgPliant/SkinTemplate.h"
#include "pliant/mesh/SurfaceMesh.h"

namespace osgPliant {

namespace {

struct CollectCorners {
    std::vector<int>* corners = nullptr;
    int first = 0;
    void operator()(unsigned int a, unsigned int b, unsigned int c) const {
        if (a == b || b == c || a == c) return;
        for (const unsigned int corner : {a, b, c}) corners->push_back(first + static_cast<int>(corner));
    }
};

/// What a skin draws.
class FindDrawn : public osg::NodeVisitor {
public:
    FindDrawn() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) { setNodeMaskOverride(~0u); }
    void apply(osg::Switch& choice) override {
        for (unsigned int i = 0; i < choice.getNumChildren(); ++i)
            if (choice.getValue(i)) choice.getChild(i)->accept(*this);
    }
    void apply(osg::LOD&) override { hasLevels = true; }
    void apply(osg::Geometry& geometry) override { geometries.push_back(&geometry); }

    std::vector<const osg::Geometry*> geometries;
    bool hasLevels = false;
};

/// Whether all attributes go by vertices, or are the same for all.
bool goesByVertices(const osg::Geometry& geometry) {
    osg::Geometry::ArrayList arrays;
    geometry.getArrayList(arrays);
    for (const auto& array : arrays)
        if (array->getBinding() == osg::Array::BIND_PER_PRIMITIVE_SET) return false;
    return true;
}

/// Whether triangles name vertices that there are.
bool isWhole(const osg::Geometry& geometry) {
    std::vector<int> corners;
    osg::TriangleIndexFunctor<CollectCorners> collect;
    collect.corners = &corners;
    geometry.accept(collect);
    const auto count = static_cast<int>(geometry.getVertexArray()->getNumElements());
    return std::all_of(corners.begin(), corners.end(), [count](int v) { return v >= 0 && v < count; });
}

/// The geometries as one surface; `array` receives which geometry a vertex is of, which is its triangles' material.
class JoinedSurface {
public:
    explicit JoinedSurface(const std::vector<const osg::Geometry*>& geometries) {
        Eigen::Index count = 0;
        for (const osg::Geometry* geometry : geometries) count += verticesOf(*geometry);
        surface.positions.resize(3, count);
        surface.normals.setZero(3, count);
        surface.texcoords.setZero(2, count);
        std::vector<int> corners;
        for (const osg::Geometry* geometry : geometries) add(*geometry, corners);
        surface.triangles.resize(3, static_cast<Eigen::Index>(corners.size() / 3));
        std::copy(corners.begin(), corners.end(), surface.triangles.data());
        surface.materials.resize(geometries.size());
    }

    pliant::SurfaceMesh surface;
    std::vector<int> array;
    std::vector<int> first;  ///< of a geometry, its first vertex

private:
    static Eigen::Index verticesOf(const osg::Geometry& geometry) {
        return static_cast<Eigen::Index>(geometry.getVertexArray()->getNumElements());
    }
    void add(const osg::Geometry& geometry, std::vector<int>& corners) {
        const int begin = static_cast<int>(array.size()), number = static_cast<int>(first.size());
        const auto& positions = static_cast<const osg::Vec3Array&>(*geometry.getVertexArray());
        const auto* normals = dynamic_cast<const osg::Vec3Array*>(geometry.getNormalArray());
        const auto* texcoords = dynamic_cast<const osg::Vec2Array*>(geometry.getTexCoordArray(0));
        for (std::size_t v = 0; v < positions.size(); ++v) {
            const Eigen::Index column = begin + static_cast<Eigen::Index>(v);
            surface.positions.col(column) = Eigen::Map<const Eigen::Vector3f>(positions[v].ptr()).cast<double>();
            if (normals && normals->size() == positions.size())
                surface.normals.col(column) = Eigen::Map<const Eigen::Vector3f>((*normals)[v].ptr()).cast<double>();
            if (texcoords && texcoords->size() == positions.size())
                surface.texcoords.col(column) = Eigen::Map<const Eigen::Vector2f>((*texcoords)[v].ptr()).cast<double>();
            array.push_back(number);
        }
        first.push_back(begin);
        osg::TriangleIndexFunctor<CollectCorners> collect;
        collect.corners = &corners;
        collect.first = begin;
        geometry.accept(collect);
        surface.triangleMaterial.resize(corners.size() / 3, number);
    }
};

}  // namespace

std::vector<SkinLevel> makeSkinLevels(const osg::Node& root) {
    FindDrawn find;
    const_cast<osg::Node&>(root).accept(find);
    if (find.hasLevels ||
        !std::all_of(find.geometries.begin(), find.geometries.end(),
                     [](const osg::Geometry* geometry) { return goesByVertices(*geometry) && isWhole(*geometry); }))
        return {};
    const JoinedSurface joined(find.geometries);
    std::vector<SkinLevel> levels;
    for (const Decimated& coarse : coarserLevels(joined.surface, joined.array)) {
        SkinLevel level;
        level.error = std::max(coarse.farthest, levels.empty() ? 0.0 : levels.back().error);
        std::vector<osg::DrawElementsUInt*> sets;
        for (const osg::Geometry* geometry : find.geometries) {
            auto& set = level.triangles[offsetOf(*geometry)];
            set = new osg::DrawElementsUInt(GL_TRIANGLES);
            sets.push_back(set);
        }
        for (Eigen::Index t = 0; t < coarse.triangles.cols(); ++t) {
            const auto geometry = static_cast<std::size_t>(coarse.triangleMaterial[static_cast<std::size_t>(t)]);
            for (int corner = 0; corner < 3; ++corner)
                sets[geometry]->push_back(
                    static_cast<unsigned int>(coarse.triangles(corner, t) - joined.first[geometry]));
        }
        levels.push_back(level);
    }
    return levels;
}

}  // namespace osgPliant
