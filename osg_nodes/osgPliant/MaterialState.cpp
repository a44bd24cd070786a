// SPDX-License-Identifier: Zlib
#include "osgPliant/MaterialState.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <osg/BlendFunc>
#include <osg/CullFace>
#include <osg/Material>
#include <osg/Notify>
#include <osg/Texture2D>
#include <osg/Uniform>
#include <osgDB/ReadFile>
#include <unordered_map>
#include <vector>

#include "osgPliant/Decimate.h"
#include "osgPliant/ModelGeometry.h"

namespace osgPliant {

namespace {

osg::Vec4 toVec4(const pliant::Vector3& colour, double alpha) {
    return {static_cast<float>(colour.x()), static_cast<float>(colour.y()), static_cast<float>(colour.z()),
            static_cast<float>(alpha)};
}

/// @return null where it cannot be read
osg::ref_ptr<osg::Texture2D> readTexture(const std::string& path) {
    const osg::ref_ptr<osg::Image> image = osgDB::readRefImageFile(path);
    if (!image.valid()) {
        OSG_WARN << "osgPliant: cannot read the texture " << path << "; drawing without it" << std::endl;
        return nullptr;
    }
    osg::ref_ptr<osg::Texture2D> texture = new osg::Texture2D(image);
    texture->setWrap(osg::Texture::WRAP_S, osg::Texture::REPEAT);
    texture->setWrap(osg::Texture::WRAP_T, osg::Texture::REPEAT);
    texture->setFilter(osg::Texture::MIN_FILTER, osg::Texture::LINEAR_MIPMAP_LINEAR);
    texture->setFilter(osg::Texture::MAG_FILTER, osg::Texture::LINEAR);
    return texture;
}

}  // namespace

void addTexture(osg::StateSet& state, const std::string& path) {
    const osg::ref_ptr<osg::Texture2D> texture = readTexture(path);
    if (!texture) return;
    state.setTextureAttributeAndModes(DiffuseUnit, texture);
    state.setDefine("PLIANT_TEXTURE");
}

osg::ref_ptr<osg::StateSet> createMaterialState(const pliant::SurfaceMaterial& source, bool vertexColours,
                                                bool closed) {
    osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
    osg::ref_ptr<osg::Material> material = new osg::Material;
    material->setName(source.name);
    material->setAmbient(osg::Material::FRONT_AND_BACK, toVec4(source.diffuse, source.opacity));
    material->setDiffuse(osg::Material::FRONT_AND_BACK, toVec4(source.diffuse, source.opacity));
    material->setSpecular(osg::Material::FRONT_AND_BACK, toVec4(source.specular, 1.0));
    material->setShininess(osg::Material::FRONT_AND_BACK,
                           static_cast<float>(std::clamp(source.shininess, 0.0, 128.0)));  // OpenGL's range
    state->setAttributeAndModes(material);
    if (vertexColours) state->setDefine("PLIANT_COLOURS");
    if (!source.diffuseTexture.empty()) addTexture(*state, source.diffuseTexture);
    if (source.opacity < 1.0) {
        state->setDefine("PLIANT_TRANSPARENT");
        state->setAttributeAndModes(new osg::BlendFunc);
        state->setRenderingHint(osg::StateSet::TRANSPARENT_BIN);
    }
    state->setMode(GL_CULL_FACE, closed && source.opacity >= 1.0 ? osg::StateAttribute::ON : osg::StateAttribute::OFF);
    return state;
}

bool addNormalMap(osg::StateSet& state, const std::string& path) {
    const osg::ref_ptr<osg::Texture2D> texture = readTexture(path);
    if (!texture) return false;
    state.setTextureAttribute(NormalUnit, texture);
    state.addUniform(new osg::Uniform("pliantNormalMap", static_cast<int>(NormalUnit)));
    state.setDefine("PLIANT_NORMAL_MAP");
    return true;
}

bool isClosed(const pliant::SurfaceMesh& surface) {
    const std::vector<int> welded = weldByPosition(surface.positions);
    std::unordered_map<std::uint64_t, int> balance;  // edge (low, high) -> directed uses, low 16 bits count
    std::unordered_map<std::uint64_t, int> uses;
    balance.reserve(static_cast<std::size_t>(surface.triangleCount()) * 2);
    uses.reserve(static_cast<std::size_t>(surface.triangleCount()) * 2);
    for (int t = 0; t < surface.triangleCount(); ++t) {
        for (int side = 0; side < 3; ++side) {
            const int a = welded[static_cast<std::size_t>(surface.triangles(side, t))];
            const int b = welded[static_cast<std::size_t>(surface.triangles((side + 1) % 3, t))];
            if (a == b) continue;  // a degenerate triangle (pole of a sphere) has no such edge
            const auto low = static_cast<std::uint64_t>(std::min(a, b));
            const auto high = static_cast<std::uint64_t>(std::max(a, b));
            balance[low << 32U | high] += a < b ? 1 : -1;
            ++uses[low << 32U | high];
        }
    }
    if (uses.empty()) return false;
    for (const auto& [edge, count] : uses) {
        if (count % 2 != 0 || balance[edge] != 0) return false;
    }
    return true;
}

}  // namespace osgPliant
