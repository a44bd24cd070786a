// SPDX-License-Identifier: Zlib
/// @file
/// What every picture of one ReducedModel shares.
#pragma once

#include <memory>
#include <osg/Array>
#include <osg/Geometry>
#include <osg/Object>
#include <osg/StateSet>
#include <string>
#include <vector>

#include "osgPliant/Deformation.h"
#include "osgPliant/Followers.h"
#include "pliant/math/Api.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/model/ReducedModel.h"

namespace osgPliant {

/// Texture units that the shaders use. ViewDependentShadowMap takes unit 1 and 2 for itself.
enum TextureUnit { DiffuseUnit = 0, ShadowUnit = 1, NormalUnit = 2, BasisUnit = 4, BodiesUnit = 5 };

/// What every picture of one ReducedModel shares: vertex arrays, the basis in a texture buffer, one part per material.
/// Bodies, scenes and draw threads share it; it must not be changed once it is drawn. Made once per model.
class PLIANT_API ModelGeometry : public osg::Object {
public:
    /// Numbers in the basis texture buffer.
    using Precision = Deformation::Precision;
    static constexpr Precision HalfFloat = Deformation::HalfFloat;  ///< 11 bits.
    static constexpr Precision Float = Deformation::Float;          ///< 24 bits.

    /// Nothing to draw; for OpenSceneGraph's object wrappers.
    ModelGeometry();
    /// Makes everything that pictures of the model share.
    /// @param model kept
    /// @param precision of the basis on the graphics card; half floats need half of its memory
    explicit ModelGeometry(std::shared_ptr<const pliant::ReducedModel> model, Precision precision = HalfFloat);
    /// The same of a character: of its flesh, whose vertices follow its bones (CharacterGroup.h).
    explicit ModelGeometry(std::shared_ptr<const pliant::CharacterModel> character, Precision precision = HalfFloat);
    /// The same of a character whose looks are those of another model with the same vertices, such as a copy of its
    /// flesh in other colours.
    ModelGeometry(std::shared_ptr<const pliant::CharacterModel> character,
                  std::shared_ptr<const pliant::ReducedModel> dressed, Precision precision = HalfFloat);
    /// An equal geometry of the same model.
    ModelGeometry(const ModelGeometry& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
    META_Object(osgPliant, ModelGeometry)

        /// Makes what the constructor makes, of another model; groups that have this look follow. Not while it is
        /// drawn.
        void setModel(std::shared_ptr<const pliant::ReducedModel> model, Precision precision = HalfFloat);
    /// The same of a character.
    void setCharacter(std::shared_ptr<const pliant::CharacterModel> character, Precision precision = HalfFloat);
    /// The file of the model, for scene files: they name it, or hold the whole model where it is empty.
    void setModelFile(const std::string& path) { _modelFile = path; }
    /// The file of the model; empty where none was told.
    const std::string& getModelFile() const { return _modelFile; }

    /// The model; null after the default constructor.
    const std::shared_ptr<const pliant::ReducedModel>& getModel() const { return _model; }
    /// The character whose flesh the model is; null where it is none.
    const std::shared_ptr<const pliant::CharacterModel>& getCharacter() const { return _character; }
    /// How its vertices move; null after the default constructor.
    const Deformation* getDeformation() const { return _deformation.get(); }
    /// Those who have to know that setModel() was called.
    Followers& getFollowers() { return _followers; }
    /// The number r of reduced coordinates.
    int getDimension() const { return _model ? _model->dimension() : 0; }

    /// State that all parts share: program, basis buffer, defines.
    osg::StateSet* getSharedState() const { return _sharedState.get(); }

    /// The number of levels of detail: 0 is the surface itself, each further one has about half of the triangles of
    /// the one before.
    int getLevelCount() const { return static_cast<int>(_levels.size()); }
    /// How far a level differs from the surface at rest, m; 0 for level 0, ascending: the largest root mean square of a
    /// vertex's way from its planes. Single points are two or three times as far.
    double getLevelError(int level) const { return _levels[static_cast<std::size_t>(level)].error; }
    /// The number of triangles of a level.
    int getTriangleCount(int level) const;

    /// New drawables, one per material, that share arrays and textures with every other call's. Their DrawElementsUInt
    /// (primitive set 0) and state set are their own.
    std::vector<osg::ref_ptr<osg::Geometry>> createParts(int level) const;

    /// Gives a material what a model does not hold, before the first createParts().
    /// @param material number among those of the surface
    /// @param normalMap an image of normals in the frame of the texture coordinates, green up; empty: none
    /// @param isTwoSided back faces are drawn, even of a closed surface
    void dressMaterial(int material, const std::string& normalMap, bool isTwoSided);

protected:
    ~ModelGeometry() override = default;

private:
    struct Level {
        std::vector<osg::ref_ptr<osg::DrawElementsUInt>> triangles;  ///< One a material, possibly empty.
        double error = 0.0;
    };

    void make(std::shared_ptr<const pliant::CharacterModel> character,
              std::shared_ptr<const pliant::ReducedModel> model, Precision precision);
    void createArrays();
    void createSharedState();
    void createLevels();
    void addLevel(const pliant::Triangles& triangles, const std::vector<int>& triangleMaterial, double error);

    std::shared_ptr<const pliant::CharacterModel> _character;
    std::shared_ptr<const pliant::ReducedModel> _model;
    std::string _modelFile;
    osg::ref_ptr<osg::Vec3Array> _positions;
    osg::ref_ptr<osg::Vec3Array> _normals;
    osg::ref_ptr<osg::Vec4Array> _colours;
    osg::ref_ptr<osg::Vec2Array> _texcoords;
    osg::ref_ptr<osg::FloatArray> _vertexNumbers;
    osg::ref_ptr<osg::StateSet> _sharedState;
    std::vector<osg::ref_ptr<osg::StateSet>> _materials;
    std::vector<Level> _levels;
    osg::ref_ptr<Deformation> _deformation;
    Followers _followers;
};

}  // namespace osgPliant
