// SPDX-License-Identifier: Zlib
#include "osgPliant/Primitives.h"

#include <algorithm>
#include <cmath>
#include <osg/Material>
#include <osg/Uniform>
#include <vector>

#include "osgPliant/MaterialState.h"
#include "osgPliant/ModelGeometry.h"
#include "osgPliant/Shaders.h"
#include "osgPliant/Stage.h"

namespace osgPliant {

namespace {

constexpr float pi = 3.14159265f;

struct Mesh {
    osg::ref_ptr<osg::Vec3Array> positions = new osg::Vec3Array;
    osg::ref_ptr<osg::Vec3Array> normals = new osg::Vec3Array;
    osg::ref_ptr<osg::DrawElementsUInt> triangles = new osg::DrawElementsUInt(GL_TRIANGLES);

    unsigned int add(const osg::Vec3f& position, const osg::Vec3f& normal) {
        positions->push_back(position);
        normals->push_back(normal);
        return static_cast<unsigned int>(positions->size() - 1);
    }
    void triangle(unsigned int a, unsigned int b, unsigned int c) {
        triangles->push_back(a);
        triangles->push_back(b);
        triangles->push_back(c);
    }
    void quad(unsigned int a, unsigned int b, unsigned int c, unsigned int d) {
        triangle(a, b, c);
        triangle(a, c, d);
    }
};

osg::ref_ptr<osg::Geometry> finish(const Mesh& mesh, const PrimitiveLook& look, bool closed) {
    osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
    geometry->setUseDisplayList(false);
    geometry->setUseVertexBufferObjects(true);
    geometry->setVertexArray(mesh.positions);
    geometry->setNormalArray(mesh.normals, osg::Array::BIND_PER_VERTEX);
    geometry->addPrimitiveSet(mesh.triangles);
    osg::StateSet& state = *geometry->getOrCreateStateSet();
    useBodyProgram(state);
    osg::ref_ptr<osg::Material> material = new osg::Material;
    material->setAmbient(osg::Material::FRONT_AND_BACK, look.colour);
    material->setDiffuse(osg::Material::FRONT_AND_BACK, look.colour);
    material->setSpecular(osg::Material::FRONT_AND_BACK, osg::Vec4(look.mirrorColour * look.specular, 1.0f));
    material->setShininess(osg::Material::FRONT_AND_BACK, std::clamp(look.shininess, 0.0f, 128.0f));
    state.setAttributeAndModes(material);
    state.setMode(GL_CULL_FACE, closed ? osg::StateAttribute::ON : osg::StateAttribute::OFF);
    if (look.grid > 0.0f) {
        state.setDefine("PLIANT_GRID");
        state.addUniform(new osg::Uniform("pliantGrid", look.grid));
    }
    if (look.colour.a() < 1.0f) {
        state.setDefine("PLIANT_TRANSPARENT");
        state.setMode(GL_BLEND, osg::StateAttribute::ON);
        state.setRenderingHint(osg::StateSet::TRANSPARENT_BIN);
    }
    return geometry;
}

/// A point of the outline that is turned around the axis: distance from it, height along it, and the normal there.
struct ProfilePoint {
    float radius, height, normalRadius, normalHeight;
};

/// (x, y, z) of a right-handed frame whose last axis is `axis`.
osg::Vec3f alongAxis(int axis, float a, float b, float height) {
    osg::Vec3f v;
    v[(axis + 1) % 3] = a;
    v[(axis + 2) % 3] = b;
    v[axis % 3] = height;
    return v;
}

/// Surface of revolution; the profile goes from the lower to the upper pole. Neighbours at the same place make an edge.
osg::ref_ptr<osg::Geometry> revolve(const std::vector<ProfilePoint>& profile, int axis, const PrimitiveLook& look) {
    constexpr unsigned int sides = 48;
    Mesh mesh;
    for (const ProfilePoint& p : profile) {
        for (unsigned int s = 0; s <= sides; ++s) {
            const float angle = 2.0f * pi * static_cast<float>(s) / static_cast<float>(sides);
            const float c = std::cos(angle), d = std::sin(angle);
            mesh.add(alongAxis(axis, p.radius * c, p.radius * d, p.height),
                     alongAxis(axis, p.normalRadius * c, p.normalRadius * d, p.normalHeight));
        }
    }
    const auto rows = static_cast<unsigned int>(profile.size());
    for (unsigned int row = 0; row + 1 < rows; ++row) {
        for (unsigned int s = 0; s < sides; ++s) {
            const unsigned int a = row * (sides + 1) + s;
            mesh.quad(a, a + 1, a + sides + 2, a + sides + 1);
        }
    }
    return finish(mesh, look, true);
}

/// Quarter circles about (0, height), from `from` to `to` radians above the equator.
void addArc(std::vector<ProfilePoint>& profile, float radius, float height, float from, float to) {
    constexpr int steps = 12;
    for (int i = 0; i <= steps; ++i) {
        const float angle = from + (to - from) * static_cast<float>(i) / static_cast<float>(steps);
        profile.push_back(
            {radius * std::cos(angle), height + radius * std::sin(angle), std::cos(angle), std::sin(angle)});
    }
}

}  // namespace

osg::ref_ptr<osg::Geometry> createBox(const osg::Vec3f& h, const PrimitiveLook& look) {
    Mesh mesh;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float sign : {-1.0f, 1.0f}) {
            const int b = (axis + 1) % 3, c = (axis + 2) % 3;
            osg::Vec3f normal;
            normal[axis] = sign;
            unsigned int corner[4];
            for (unsigned int i = 0; i < 4; ++i) {
                osg::Vec3f p;
                p[axis] = sign * h[axis];
                p[b] = (i == 1 || i == 2 ? 1.0f : -1.0f) * h[b];
                p[c] = (i >= 2 ? 1.0f : -1.0f) * h[c];
                corner[i] = mesh.add(p, normal);
            }
            if (sign > 0.0f) {
                mesh.quad(corner[0], corner[1], corner[2], corner[3]);
            } else {
                mesh.quad(corner[3], corner[2], corner[1], corner[0]);
            }
        }
    }
    return finish(mesh, look, true);
}

osg::ref_ptr<osg::Geometry> createSphere(float radius, const PrimitiveLook& look) {
    return createCapsule(radius, 0.0f, 1, look);
}

osg::ref_ptr<osg::Geometry> createCapsule(float radius, float height, int axis, const PrimitiveLook& look) {
    std::vector<ProfilePoint> profile;
    addArc(profile, radius, -0.5f * height, -0.5f * pi, 0.0f);
    addArc(profile, radius, 0.5f * height, 0.0f, 0.5f * pi);
    return revolve(profile, axis, look);
}

osg::ref_ptr<osg::Geometry> createCylinder(float radius, float height, int axis, const PrimitiveLook& look) {
    const float h = 0.5f * height;
    return revolve({{0.0f, -h, 0.0f, -1.0f},
                    {radius, -h, 0.0f, -1.0f},
                    {radius, -h, 1.0f, 0.0f},
                    {radius, h, 1.0f, 0.0f},
                    {radius, h, 0.0f, 1.0f},
                    {0.0f, h, 0.0f, 1.0f}},
                   axis, look);
}

osg::ref_ptr<osg::Geometry> createCone(float radius, float height, int axis, const PrimitiveLook& look) {
    const float h = 0.5f * height;
    const float slant = std::max(std::hypot(radius, height), 1e-12f);
    const float nr = height / slant, nh = radius / slant;
    return revolve({{0.0f, -h, 0.0f, -1.0f}, {radius, -h, 0.0f, -1.0f}, {radius, -h, nr, nh}, {0.0f, h, nr, nh}}, axis,
                   look);
}

namespace {

/// The images of a look on a plane, over and over. @param u, v axes of the plane, which the images lie along
void layImages(osg::Geometry& plane, const osg::Vec3f& u, const osg::Vec3f& v, const PrimitiveLook& look) {
    const osg::ref_ptr<osg::Vec2Array> texcoords = new osg::Vec2Array;
    const float scale = 1.0f / std::max(look.tile, 1e-6f);
    for (const osg::Vec3f& x : static_cast<const osg::Vec3Array&>(*plane.getVertexArray()))
        texcoords->push_back(osg::Vec2f(x * u * scale, x * v * scale));
    plane.setTexCoordArray(DiffuseUnit, texcoords, osg::Array::BIND_PER_VERTEX);
    osg::StateSet& state = *plane.getOrCreateStateSet();
    if (!look.texture.empty()) addTexture(state, look.texture);
    if (!look.normalMap.empty()) addNormalMap(state, look.normalMap);
}

}  // namespace

osg::ref_ptr<osg::Geometry> createPlane(const osg::Vec3f& direction, float offset, float halfSize,
                                        const PrimitiveLook& look) {
    osg::Vec3f normal = direction;
    normal.normalize();
    osg::Vec3f u = normal ^ (std::abs(normal.x()) < 0.9f ? osg::Vec3f(1.0f, 0.0f, 0.0f) : osg::Vec3f(0.0f, 1.0f, 0.0f));
    u.normalize();
    const osg::Vec3f v = normal ^ u;
    constexpr unsigned int cells = 64;  // cut finely: values interpolated over a huge triangle lose digits
    Mesh mesh;
    for (unsigned int i = 0; i <= cells; ++i) {
        for (unsigned int j = 0; j <= cells; ++j) {
            const float a = halfSize * (2.0f * static_cast<float>(i) / static_cast<float>(cells) - 1.0f);
            const float b = halfSize * (2.0f * static_cast<float>(j) / static_cast<float>(cells) - 1.0f);
            mesh.add(normal * offset + u * a + v * b, normal);
        }
    }
    for (unsigned int i = 0; i < cells; ++i) {
        for (unsigned int j = 0; j < cells; ++j) {
            const unsigned int a = i * (cells + 1) + j;
            mesh.quad(a, a + cells + 1, a + cells + 2, a + 1);
        }
    }
    osg::ref_ptr<osg::Geometry> plane = finish(mesh, look, false);
    if (!look.texture.empty() || !look.normalMap.empty()) layImages(*plane, u, v, look);
    plane->setNodeMask(Stage::ReceivesShadow);
    return plane;
}

osg::ref_ptr<osg::Geometry> createTriangles(const std::vector<osg::Vec3f>& points,
                                            const std::vector<unsigned int>& indices, const PrimitiveLook& look) {
    Mesh mesh;
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
        if (std::max({indices[i], indices[i + 1], indices[i + 2]}) >= points.size()) continue;
        const osg::Vec3f &a = points[indices[i]], &b = points[indices[i + 1]], &c = points[indices[i + 2]];
        osg::Vec3f normal = (b - a) ^ (c - a);
        normal.normalize();
        const unsigned int first = mesh.add(a, normal);
        mesh.add(b, normal);
        mesh.add(c, normal);
        mesh.triangle(first, first + 1, first + 2);
    }
    return finish(mesh, look, false);
}

}  // namespace osgPliant
