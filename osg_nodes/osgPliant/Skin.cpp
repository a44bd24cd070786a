// SPDX-License-Identifier: Zlib
#include "osgPliant/Skin.h"

#include <osg/Notify>

#include "osgPliant/Conversions.h"
#include "osgPliant/SkinLevels.h"
#include "osgPliant/SkinTemplate.h"
#include "pliant/model/SurfaceFollowsMesh.h"

namespace osgPliant {

namespace {

constexpr double farShare = 0.02;  // of the mesh's size: drawn surfaces stand out from their bricks by less

/// The basis of a model in components of its mesh frame.
pliant::MatrixX meshBasis(const pliant::ReducedModel& model) {
    pliant::MatrixX basis = model.basis;
    for (Eigen::Index v = 0; v + 2 < basis.rows(); v += 3)
        basis.middleRows<3>(v) = (model.meshFromBody.rotation * model.basis.middleRows<3>(v)).eval();
    return basis;
}

/// Weights of points of a character's flesh.
pliant::SkinWeights weightsOf(const pliant::CharacterModel& character,
                              const std::vector<pliant::MaterialPoint>& points) {
    pliant::SkinWeights weights;
    weights.bones.resize(4, static_cast<Eigen::Index>(points.size()));
    weights.weights.resize(4, weights.bones.cols());
    for (Eigen::Index v = 0; v < weights.bones.cols(); ++v)
        pliant::weightsAt(character.skin.nodes, points[static_cast<std::size_t>(v)], weights.bones.col(v).data(),
                          weights.weights.col(v).data());
    return weights;
}

/// How the vertices of a template move, in the mesh frame. @param note receives how many are far from the mesh
Deformation::Rows rowsOf(const SkinTemplate& skin, const pliant::CharacterModel* character,
                         const pliant::ReducedModel& model, std::string& note) {
    pliant::SurfaceMesh surface;
    const auto count = static_cast<Eigen::Index>(skin.positions.size());
    surface.positions.resize(3, count);
    surface.normals.resize(3, count);
    for (Eigen::Index v = 0; v < count; ++v) {
        surface.positions.col(v) = fromOsg(skin.positions[static_cast<std::size_t>(v)]);
        surface.normals.col(v) = fromOsg(skin.normals[static_cast<std::size_t>(v)]);
    }
    surface.triangles.resize(3, static_cast<Eigen::Index>(skin.triangles.size() / 3));
    std::copy(skin.triangles.begin(), skin.triangles.end(), surface.triangles.data());
    pliant::ReducedModel inMeshFrame;
    inMeshFrame.mesh = model.mesh;
    inMeshFrame.basis = meshBasis(model);
    pliant::followMesh(surface, inMeshFrame.basis, inMeshFrame);

    const pliant::Points& corners = model.mesh.positions;
    const double size = (corners.rowwise().maxCoeff() - corners.rowwise().minCoeff()).norm();
    int far = 0;
    for (const pliant::MaterialPoint& point : inMeshFrame.surfaceEmbedding) far += point.distance > farShare * size;
    if (far > 0) {
        note +=
            std::to_string(far) + " of " + std::to_string(count) +
            " vertices are outside of the model's mesh; is the node in the frame and the units of the model's file? "
            "(.obj files are turned by 90 degrees unless they are read with the option noRotation.) ";
    }
    VertexBones bones;
    if (character)
        bones =
            followBones(surface, weightsOf(*character, inMeshFrame.surfaceEmbedding), character->skeleton.boneCount());
    return {surface.positions, inMeshFrame.surfaceBasis, inMeshFrame.surfaceNormalBasis, surface.triangles, bones};
}

}  // namespace

Skin::Skin(const Skin& other, const osg::CopyOp& copyop)
    : osg::Object(other, copyop),
      _character(other._character),
      _model(other._model),
      _modelFile(other._modelFile),
      _deformation(other._deformation),
      _template(other._template),
      _note(other._note),
      _levels(other.getLevels()) {}

void Skin::makeLevels() {
    if (getLevels() || !_template) return;
    const auto made = std::make_shared<const Levels>(makeSkinLevels(*_template));
    const std::lock_guard<std::mutex> lock(_levelsMutex);
    if (!_levels) _levels = made;
}

std::shared_ptr<const Skin::Levels> Skin::getLevels() const {
    const std::lock_guard<std::mutex> lock(_levelsMutex);
    return _levels;
}

int Skin::getLevelCount() const {
    const auto levels = getLevels();
    return levels ? 1 + static_cast<int>(levels->size()) : 1;
}

double Skin::getLevelError(int level) const {
    const auto levels = getLevels();
    return level <= 0 || level >= getLevelCount() ? 0.0 : (*levels)[static_cast<std::size_t>(level - 1)].error;
}

osg::ref_ptr<Skin> Skin::bind(const osg::Node* node, std::shared_ptr<const pliant::ReducedModel> model,
                              Deformation::Precision precision) {
    osg::ref_ptr<Skin> skin = new Skin;
    return skin->setNode(node, std::move(model), precision) ? skin : nullptr;
}

osg::ref_ptr<Skin> Skin::bind(const osg::Node* node, std::shared_ptr<const pliant::CharacterModel> character,
                              Deformation::Precision precision) {
    osg::ref_ptr<Skin> skin = new Skin;
    return skin->setNode(node, std::move(character), precision) ? skin : nullptr;
}

bool Skin::setNode(const osg::Node* node, std::shared_ptr<const pliant::ReducedModel> model,
                   Deformation::Precision precision) {
    return make(node, nullptr, std::move(model), precision);
}

bool Skin::setNode(const osg::Node* node, std::shared_ptr<const pliant::CharacterModel> character,
                   Deformation::Precision precision) {
    return character && make(node, character, character->flesh, precision);
}

bool Skin::make(const osg::Node* node, std::shared_ptr<const pliant::CharacterModel> character,
                std::shared_ptr<const pliant::ReducedModel> model, Deformation::Precision precision) {
    if (!node || !model) return false;
    if (model->mesh.elementCount() == 0 || model->basis.rows() != 3 * model->mesh.positions.cols()) {
        OSG_WARN << "osgPliant: the model " << model->name << " has no mesh to bind a node to" << std::endl;
        return false;
    }
    const SkinTemplate made = makeSkinTemplate(*node);
    if (made.positions.empty()) {
        OSG_WARN << "osgPliant: the node \"" << node->getName() << "\" has no geometry to bind to a model" << std::endl;
        return false;
    }
    _character = std::move(character);
    _model = std::move(model);
    _template = made.root;
    {
        const std::lock_guard<std::mutex> lock(_levelsMutex);
        _levels = nullptr;
    }
    _note.clear();
    if (made.leftOut > 0) _note = std::to_string(made.leftOut) + " drawables that are not geometries are left out. ";
    if (made.unbound > 0)
        _note += std::to_string(made.unbound) + " geometries without vertices of three numbers are left out. ";
    if (made.billboards > 0) _note += std::to_string(made.billboards) + " billboards do not turn to the eye. ";
    const osg::Matrixd bodyFromMesh = osg::Matrixd::inverse(toOsg(_model->meshFromBody));
    _deformation = new Deformation(rowsOf(made, _character.get(), *_model, _note), bodyFromMesh, precision);
    if (!_note.empty()) OSG_NOTICE << "osgPliant: the node \"" << node->getName() << "\": " << _note << std::endl;
    _followers.tell();
    return true;
}

}  // namespace osgPliant
