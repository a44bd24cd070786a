// SPDX-License-Identifier: Zlib
#include "osgPliant/ModelGeometry.h"

#include <algorithm>
#include <osg/Uniform>

#include "osgPliant/Decimate.h"
#include "osgPliant/MaterialState.h"
#include "osgPliant/Shaders.h"

namespace osgPliant {

namespace {

osg::Vec3f toVec3f(const pliant::Points& points, int i) {
    return {static_cast<float>(points(0, i)), static_cast<float>(points(1, i)), static_cast<float>(points(2, i))};
}

Deformation::Rows rowsOf(const pliant::ReducedModel& model, const pliant::CharacterModel* character) {
    VertexBones bones;
    if (character) bones = followBones(model.surface, character->skin.vertices, character->skeleton.boneCount());
    return {model.surface.positions, model.surfaceBasis, model.surfaceNormalBasis, model.surface.triangles, bones};
}

std::shared_ptr<const pliant::ReducedModel> fleshOf(const std::shared_ptr<const pliant::CharacterModel>& character) {
    return character ? character->flesh : nullptr;
}

}  // namespace

ModelGeometry::ModelGeometry() : _sharedState(new osg::StateSet) {}

ModelGeometry::ModelGeometry(std::shared_ptr<const pliant::ReducedModel> model, Precision precision) {
    setModel(std::move(model), precision);
}

ModelGeometry::ModelGeometry(std::shared_ptr<const pliant::CharacterModel> character, Precision precision) {
    setCharacter(std::move(character), precision);
}

ModelGeometry::ModelGeometry(std::shared_ptr<const pliant::CharacterModel> character,
                             std::shared_ptr<const pliant::ReducedModel> dressed, Precision precision) {
    make(std::move(character), std::move(dressed), precision);
}

void ModelGeometry::setModel(std::shared_ptr<const pliant::ReducedModel> model, Precision precision) {
    make(nullptr, std::move(model), precision);
    _followers.tell();
}

void ModelGeometry::setCharacter(std::shared_ptr<const pliant::CharacterModel> character, Precision precision) {
    make(character, fleshOf(character), precision);
    _followers.tell();
}

void ModelGeometry::make(std::shared_ptr<const pliant::CharacterModel> character,
                         std::shared_ptr<const pliant::ReducedModel> model, Precision precision) {
    _character = std::move(character);
    _model = std::move(model);
    _sharedState = new osg::StateSet;
    _materials.clear();
    _levels.clear();
    _texcoords = nullptr;
    _colours = nullptr;
    _deformation = nullptr;
    if (!_model) return;
    _deformation = new Deformation(rowsOf(*_model, _character.get()), osg::Matrixd(), precision);
    createArrays();
    createSharedState();
    createLevels();
}

ModelGeometry::ModelGeometry(const ModelGeometry& other, const osg::CopyOp& copyop)
    : osg::Object(other, copyop),
      _character(other._character),
      _model(other._model),
      _modelFile(other._modelFile),
      _positions(other._positions),
      _normals(other._normals),
      _colours(other._colours),
      _texcoords(other._texcoords),
      _vertexNumbers(other._vertexNumbers),
      _sharedState(other._sharedState),
      _materials(other._materials),
      _levels(other._levels),
      _deformation(other._deformation) {}

void ModelGeometry::createArrays() {
    const pliant::SurfaceMesh& surface = _model->surface;
    const int d = surface.vertexCount();
    const auto size = static_cast<unsigned int>(d);
    _positions = new osg::Vec3Array(size);
    _normals = new osg::Vec3Array(size);
    _vertexNumbers = new osg::FloatArray(size);
    if (surface.texcoords.cols() == d) _texcoords = new osg::Vec2Array(size);
    if (surface.colours.cols() == d) _colours = new osg::Vec4Array(size);
    for (int v = 0; v < d; ++v) {
        const auto i = static_cast<std::size_t>(v);
        (*_positions)[i] = toVec3f(surface.positions, v);
        (*_normals)[i] = surface.normals.cols() == d ? toVec3f(surface.normals, v) : osg::Vec3f(0.0f, 0.0f, 1.0f);
        (*_vertexNumbers)[i] = static_cast<float>(v);  // exact up to 2^24
        if (_texcoords) {
            (*_texcoords)[i].set(static_cast<float>(surface.texcoords(0, v)),
                                 static_cast<float>(surface.texcoords(1, v)));
        }
        if (_colours) {
            (*_colours)[i].set(surface.colours(0, v), surface.colours(1, v), surface.colours(2, v),
                               surface.colours(3, v));
        }
    }
}

void ModelGeometry::createSharedState() {
    _sharedState->setTextureAttribute(BasisUnit, _deformation->getTexture());
    useBodyProgram(*_sharedState);
    _sharedState->addUniform(new osg::Uniform("pliantBasis", static_cast<int>(BasisUnit)));
    _sharedState->addUniform(new osg::Uniform("pliantBodies", static_cast<int>(BodiesUnit)));
    _sharedState->setDefine("PLIANT_CHUNKS", std::to_string(_deformation->getChunkCount()));
    if (_deformation->getBoneCount() > 0)
        _sharedState->setDefine("PLIANT_BONES", std::to_string(_deformation->getBoneCount()));
}

void ModelGeometry::createLevels() {
    const pliant::SurfaceMesh& surface = _model->surface;
    const bool closed = isClosed(surface);
    const std::vector<pliant::SurfaceMaterial> plain(1);
    for (const pliant::SurfaceMaterial& material : surface.materials.empty() ? plain : surface.materials) {
        _materials.push_back(createMaterialState(material, _colours.valid(), closed));
    }
    addLevel(surface.triangles, surface.triangleMaterial, 0.0);
    for (const Decimated& coarse : coarserLevels(surface))
        addLevel(coarse.triangles, coarse.triangleMaterial, coarse.error);
}

void ModelGeometry::dressMaterial(int material, const std::string& normalMap, bool isTwoSided) {
    osg::StateSet& state = *_materials[static_cast<std::size_t>(material)];
    if (!normalMap.empty()) addNormalMap(state, normalMap);
    if (isTwoSided) state.setMode(GL_CULL_FACE, osg::StateAttribute::OFF);
}

void ModelGeometry::addLevel(const pliant::Triangles& triangles, const std::vector<int>& triangleMaterial,
                             double error) {
    Level level;
    level.error = error;
    for (std::size_t m = 0; m < _materials.size(); ++m)
        level.triangles.push_back(new osg::DrawElementsUInt(GL_TRIANGLES));
    for (Eigen::Index t = 0; t < triangles.cols(); ++t) {
        const auto i = static_cast<std::size_t>(t);
        const auto material = static_cast<std::size_t>(i < triangleMaterial.size() ? triangleMaterial[i] : 0);
        osg::DrawElementsUInt& indices = *level.triangles[std::min(material, _materials.size() - 1)];
        for (int corner = 0; corner < 3; ++corner) {
            indices.push_back(static_cast<unsigned int>(triangles(corner, t)));
        }
    }
    _levels.push_back(level);
}

int ModelGeometry::getTriangleCount(int level) const {
    std::size_t indices = 0;
    for (const auto& part : _levels[static_cast<std::size_t>(level)].triangles) indices += part->size();
    return static_cast<int>(indices / 3);
}

std::vector<osg::ref_ptr<osg::Geometry>> ModelGeometry::createParts(int level) const {
    std::vector<osg::ref_ptr<osg::Geometry>> drawables;
    for (std::size_t m = 0; m < _materials.size(); ++m) {
        const osg::DrawElementsUInt& triangles = *_levels[static_cast<std::size_t>(level)].triangles[m];
        if (triangles.empty()) continue;
        osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
        geometry->setUseDisplayList(false);  // instanced draws paint nothing from display lists
        geometry->setUseVertexBufferObjects(true);
        geometry->setVertexArray(_positions);
        geometry->setNormalArray(_normals, osg::Array::BIND_PER_VERTEX);
        if (_colours) geometry->setColorArray(_colours, osg::Array::BIND_PER_VERTEX);
        if (_texcoords) geometry->setTexCoordArray(DiffuseUnit, _texcoords, osg::Array::BIND_PER_VERTEX);
        geometry->setVertexAttribArray(vertexNumberSlot, _vertexNumbers, osg::Array::BIND_PER_VERTEX);
        geometry->addPrimitiveSet(new osg::DrawElementsUInt(triangles));
        geometry->setStateSet(new osg::StateSet(*_materials[m]));
        drawables.push_back(geometry);
    }
    return drawables;
}

}  // namespace osgPliant
