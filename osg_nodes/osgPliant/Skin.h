// SPDX-License-Identifier: Zlib
/// @file
/// Any node of OpenSceneGraph as the looks of a reduced body.
#pragma once

#include <memory>
#include <mutex>
#include <osg/Node>
#include <osg/Object>
#include <string>
#include <vector>

#include "osgPliant/Deformation.h"
#include "osgPliant/Followers.h"
#include "pliant/math/Api.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/model/ReducedModel.h"

namespace osgPliant {

struct SkinLevel;

/// Any node as the looks of a reduced body: its geometries, state sets, textures, switches and levels of detail, bound
/// to a model so that they bend with it. It is drawn under the scene's own programs, or under OpenGL's fixed function:
/// lights, fog, clip planes and shadow techniques do to it what they do to the node itself.
///
///     osg::ref_ptr<osg::Node> node = osgDB::readRefNodeFile("crane.osgt");
///     osg::ref_ptr<osgPliant::Skin> skin = osgPliant::Skin::bind(node, pliant::loadModel("crane.pliant"));
///     osg::ref_ptr<osgPliant::BodyGroup> cranes = new osgPliant::BodyGroup(skin, 12);
///
/// State sets are shared with the node and may be edited at any time. Everything else is copied: transforms are
/// flattened into the mesh frame (that of the model's file, which is the node's own), and what is changed later in the
/// node's geometries, switches and levels is not seen. Groups share it; it must not change (setNode(), setModel())
/// while it is drawn.
class PLIANT_API Skin : public osg::Object {
public:
    /// A skin of nothing; for OpenSceneGraph's object wrappers.
    Skin() = default;
    /// A skin that shares everything.
    Skin(const Skin& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
    META_Object(osgPliant, Skin)

        /// Binds a node to a model: every vertex moves with the point of the model's mesh where it is at rest, those
        /// outside of the mesh with the nearest element. Drawables that are not geometries are left out, and so are
        /// geometries without vertices of three numbers; billboards do not turn to the eye.
        /// @param node      in the model's mesh frame; not changed
        /// @param model     kept
        /// @param precision of the basis on the graphics card
        /// @return the skin; null, and a warning, where the node has no geometry or the model no mesh
        static osg::ref_ptr<Skin> bind(const osg::Node* node, std::shared_ptr<const pliant::ReducedModel> model,
                                       Deformation::Precision precision = Deformation::HalfFloat);

    /// The same for a character: vertices follow bones as the point of the flesh where they are at rest does. They keep
    /// the vertex's four largest of the weights of that element's corners.
    static osg::ref_ptr<Skin> bind(const osg::Node* node, std::shared_ptr<const pliant::CharacterModel> character,
                                   Deformation::Precision precision = Deformation::HalfFloat);

    /// The file of the model, for scene files: they name it, or hold the whole model where it is empty.
    void setModelFile(const std::string& path) { _modelFile = path; }
    /// The file of the model; empty where none was told.
    const std::string& getModelFile() const { return _modelFile; }
    /// Makes what bind() makes; groups that have this look follow. Not while it is drawn. @return false, and a warning,
    /// where that cannot be
    bool setNode(const osg::Node* node, std::shared_ptr<const pliant::ReducedModel> model,
                 Deformation::Precision precision = Deformation::HalfFloat);

    /// Makes what bind() makes for a character.
    bool setNode(const osg::Node* node, std::shared_ptr<const pliant::CharacterModel> character,
                 Deformation::Precision precision = Deformation::HalfFloat);

    /// The character whose flesh the model is; null where it is none.
    const std::shared_ptr<const pliant::CharacterModel>& getCharacter() const { return _character; }
    /// The model; null after the default constructor.
    const std::shared_ptr<const pliant::ReducedModel>& getModel() const { return _model; }
    /// How the vertices move; null after the default constructor.
    const Deformation* getDeformation() const { return _deformation.get(); }
    /// Those who have to know that setNode() was called.
    Followers& getFollowers() { return _followers; }
    /// The node at rest in the mesh frame, as visitors see it; null after the default constructor. Its geometries have
    /// their first row of the deformation as user value "pliantOffset".
    osg::Node* getTemplate() const { return _template.get(); }
    /// Makes levels of detail: the same vertices with half of the triangles, a quarter and so on, once; groups with a
    /// pixel error (BodyGroup::setPixelError()) ask for them. Nodes that bring an osg::LOD, or attributes that go by
    /// primitive sets, get none.
    void makeLevels();
    /// The number of levels, with the node's own, 0: 1 until makeLevels() was called.
    int getLevelCount() const;
    /// The largest way of any vertex of the node from a level at rest, m; 0 for level 0 and for levels that there are
    /// not, never smaller than that of a finer one.
    double getLevelError(int level) const;
    /// Empty, or sentences about what is probably not meant: vertices far from the mesh, drawables left out,
    /// billboards.
    const std::string& getNote() const { return _note; }

protected:
    ~Skin() override = default;

private:
    bool make(const osg::Node* node, std::shared_ptr<const pliant::CharacterModel> character,
              std::shared_ptr<const pliant::ReducedModel> model, Deformation::Precision precision);

    std::shared_ptr<const pliant::CharacterModel> _character;
    std::shared_ptr<const pliant::ReducedModel> _model;
    std::string _modelFile;
    osg::ref_ptr<Deformation> _deformation;
    osg::ref_ptr<osg::Node> _template;
    std::string _note;
    Followers _followers;

    friend class SkinPass;
    using Levels = std::vector<SkinLevel>;
    /// The levels but the node's own; null until they are made.
    std::shared_ptr<const Levels> getLevels() const;
    mutable std::mutex _levelsMutex;  ///< Guard: cameras ask while they cull.
    std::shared_ptr<const Levels> _levels;
};

}  // namespace osgPliant
