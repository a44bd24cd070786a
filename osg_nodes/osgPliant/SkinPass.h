// SPDX-License-Identifier: Zlib
// What one pass draws of bodies with a Skin.
#pragma once

#include <map>
#include <memory>
#include <osg/Geometry>
#include <osg/LOD>
#include <osg/Uniform>
#include <vector>

#include "osgPliant/BodyPass.h"
#include "osgPliant/ProgramComposer.h"
#include "osgPliant/Skin.h"
#include "osgPliant/SummedVertices.h"

namespace osgPliant {

/// Texture units of skins: far from those that scenes use.
enum SkinTextureUnit { SkinBasisUnit = 14, SkinBodiesUnit = 15 };

/// A geometry of a skin in a pass. Its state is that of its place in the scene and in the skin, with the program that
/// is found there made to deform.
class SkinLeaf : public osg::Node {
public:
    SkinLeaf() = default;
    /// @param triangles in place of the geometry's own; null: its own
    SkinLeaf(const osg::Geometry& geometry, ProgramComposer* composer, osg::Drawable::ComputeBoundingBoxCallback* bound,
             const osg::DrawElementsUInt* triangles);
    SkinLeaf(const SkinLeaf& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY) : osg::Node(other, copyop) {}
    META_Node(osgPliant, SkinLeaf)

        /// Bodies of one level, as they are for the time of one cull.
        struct Bodies {
        const Deformation& deformation;
        const BodyStates& states;
        const std::vector<const SeenBody*>& seen;  ///< From near to far.
        int first;                                 ///< Number of the first one in the pass's order.
        bool isSummed;                             ///< Whether the processor makes their sums.
        OneByOne& single;
    };
    /// What is drawn by the next cull. @param bodies outlive it
    void setBodies(const Bodies* bodies) { _drawn = bodies; }
    osg::Geometry& getGeometry() const { return *_geometry; }
    void traverse(osg::NodeVisitor& visitor) override;

protected:
    ~SkinLeaf() override = default;

private:
    void cull(osgUtil::CullVisitor& visitor);
    void addTogether(osgUtil::CullVisitor& visitor);
    void addOneByOne(osgUtil::CullVisitor& visitor);
    void setInstanceCount(int count);

    osg::ref_ptr<osg::Geometry> _geometry;
    osg::ref_ptr<ProgramComposer> _composer;
    osg::ref_ptr<osg::StateSet> _ofGeometry, _ofBodies;
    osg::ref_ptr<osg::Uniform> _first;
    osg::Vec3d _middle;           ///< Of the geometry at rest.
    unsigned int _texcoords = 0;  ///< bit i: there are coordinates for unit i
    const Bodies* _drawn = nullptr;
};

class SkinPass : public BodyPass {
public:
    SkinPass(const Skin& skin, ProgramComposer* composer, osg::Drawable::ComputeBoundingBoxCallback* bound);

    void cull(osgUtil::CullVisitor& visitor, const BodyStates& states, const std::vector<SeenBody>& seen,
              const PassSettings& settings) override;
    void dirtyBounds() override;
    void resizeGLObjectBuffers(unsigned int maxSize) override;
    void releaseGLObjects(osg::State* state) const override;

private:
    /// Which children of every level-of-detail node are drawn, node by node, a bit a child; at the end the level of the
    /// skin itself.
    using Choice = std::vector<unsigned int>;
    /// The skin with one choice made.
    struct Level {
        osg::ref_ptr<osg::Node> root;
        std::vector<osg::ref_ptr<SkinLeaf>> leaves;
        unsigned int used = 0;  ///< the traversal that drew it last
        int drawn = -1;         ///< Vertices that it draws; -1: nobody has counted them.
    };

    Choice choose(osgUtil::CullVisitor& visitor, const osg::Matrixd& nodeFromRest, unsigned int ownLevel) const;
    bool canBeSummed(const osgUtil::CullVisitor& visitor, const PassSettings& settings, int bodyCount) const;
    SummedVertices& summedVertices(int bodyCount);
    const osg::DrawElementsUInt* trianglesFor(const osg::Geometry& geometry, const Choice& choice) const;
    Level& levelFor(const Choice& choice);
    /// Whether a level draws enough of the skin's vertices for sums of all.
    bool drawsMany(Level& level) const;
    /// Drops levels and sums that nothing has been drawn by for long.
    void forgetUnused();
    osg::ref_ptr<osg::Node> instantiate(const osg::Node& node, const Choice& choice, std::size_t& next, Level& level);

    const osg::ref_ptr<const Skin> _skin;
    const osg::ref_ptr<ProgramComposer> _composer;
    const osg::ref_ptr<osg::Drawable::ComputeBoundingBoxCallback> _bound;
    osg::ref_ptr<osg::StateSet> _state;
    osg::ref_ptr<osg::StateSet> _basisState;  ///< State of bodies whose sums vertex shaders make.
    osg::ref_ptr<osg::StateSet> _sumsState;   ///< State of those whose sums the processor makes; null as they are.
    std::unique_ptr<SummedVertices> _sums;    ///< Sums of the processor; null until it has made some.
    unsigned int _sumsUsed = 0;               ///< The traversal that drew by them last.
    BodyTexels _texels;
    OneByOne _single;
    std::vector<osg::ref_ptr<const osg::LOD>> _lods;  ///< Nodes of the template, in the order of its traversal.
    std::map<Choice, Level> _levels;
    std::shared_ptr<const Skin::Levels> _own;  ///< Levels of the skin, as of this cull.
    unsigned int _traversals = 0;
};

}  // namespace osgPliant
