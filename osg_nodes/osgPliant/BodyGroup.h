// SPDX-License-Identifier: Zlib
/// @file
/// N bodies of one model in one instanced draw per material.
#pragma once

#include <memory>
#include <osg/Group>
#include <osg/Matrixd>
#include <osgUtil/CullVisitor>
#include <osgUtil/LineSegmentIntersector>
#include <osgUtil/PolytopeIntersector>
#include <vector>

#include "osgPliant/BodyHit.h"
#include "osgPliant/Followers.h"
#include "osgPliant/ModelGeometry.h"
#include "osgPliant/Skin.h"
#include "pliant/math/Api.h"
#include "pliant/view/Poses.h"

namespace osgPliant {

/// N bodies of one model in one instanced draw per material, or, with a Skin, per geometry of a node of the user's.
///
///     osg::ref_ptr<osgPliant::BodyGroup> baskets = new osgPliant::BodyGroup(new osgPliant::ModelGeometry(model));
///     baskets->setBodyCount(512);
///     scene->addChild(baskets);
///     // every frame, from any thread:
///     baskets->setBody(i, worldFromBody, batch.q(slot).data());
///
/// setBody() writes to a copy of its own; the picture follows in the next update traversal, so draw threads never see a
/// half-written body; show() places all bodies of a step at once. (Where no update traversal ever reaches the group, as
/// below osgSim::OverlayNode, the first cull of a frame takes it over; a group that one has reached waits for the next,
/// wherever it is moved.) Coordinates are those of this node: put transforms above it as usual. Line and polytope
/// intersectors hit the deformed triangles; getHit() tells whose.
class PLIANT_API BodyGroup : public osg::Group {
public:
    /// A group without a model, which draws nothing; for OpenSceneGraph's object wrappers.
    BodyGroup();
    /// A group of bodies, hidden until their first setBody().
    /// @param geometry of the model, shared
    /// @param bodyCount see setBodyCount()
    explicit BodyGroup(ModelGeometry* geometry, int bodyCount = 0);
    /// A group of bodies that look like a node of the user's, hidden until their first setBody().
    /// @param skin shared; null: nothing is drawn
    /// @param bodyCount see setBodyCount()
    explicit BodyGroup(Skin* skin, int bodyCount = 0);
    /// Bodies are copied, a skin is shared; the ModelGeometry is shared unless DEEP_COPY_OBJECTS makes an equal one of
    /// the same model.
    BodyGroup(const BodyGroup& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
    META_Node(osgPliant, BodyGroup)

        /// What all bodies share; null where they have a skin.
        const ModelGeometry* getModelGeometry() const {
        return _geometry.get();
    }
    /// What all bodies look like; null where they have a ModelGeometry.
    const Skin* getSkin() const { return _skin.get(); }

    /// Gives bodies another look: that of a ModelGeometry. Bodies stay where the dimension is the same. Not while they
    /// are drawn.
    void setModelGeometry(ModelGeometry* geometry);
    /// Gives bodies another look: that of a skin. Bodies stay where the dimension is the same. Not while they are
    /// drawn.
    void setSkin(Skin* skin);
    /// Tells which attributes of the scene's shaders are the vertex and its normal, where these have names of their own
    /// ("in vec3 position;"). For bodies with a skin; its geometries need OpenGL's arrays of both. What is no
    /// identifier is refused with a warning, and nothing is changed.
    void setAttributeNames(const std::string& position, const std::string& normal);
    /// The attribute of the scene's shaders that is the vertex; empty where none was told.
    const std::string& getPositionName() const { return _positionName; }
    /// The attribute of the scene's shaders that is the normal; empty where none was told.
    const std::string& getNormalName() const { return _normalName; }
    /// The model of all bodies; may be null.
    const pliant::ReducedModel* getModel() const;
    /// The same, for those that keep it.
    std::shared_ptr<const pliant::ReducedModel> getSharedModel() const;
    /// How the drawn vertices move; null without a model.
    const Deformation* getDeformation() const;

    /// Sets the number of bodies. New bodies are hidden until their first setBody(). May allocate; call outside of the
    /// draw traversal.
    void setBodyCount(int count);
    /// The number of bodies, hidden ones included.
    int getBodyCount() const;

    /// Places and deforms a body, from any thread. Bones of a character stay as they are in its frame; as bound before
    /// they were set (CharacterGroup.h).
    /// @param body          0 .. getBodyCount() - 1; others are ignored
    /// @param worldFromBody the model's *body frame* in this node's coordinates
    /// @param q             r reduced coordinates, not null; r zeros at rest
    void setBody(int body, const osg::Matrixd& worldFromBody, const double* q);
    /// The same with reduced coordinates in single precision.
    void setBody(int body, const osg::Matrixd& worldFromBody, const float* q);
    /// The same for the model's *mesh frame*, the one of the user's file.
    void setBodyFromMesh(int body, const osg::Matrixd& worldFromMesh, const double* q);

    /// Places and deforms bodies 0 .. poses.count() - 1 at once, from any thread: an update traversal takes over all of
    /// them or none. With setBody() from another thread it may find some bodies of one step and some of the next.
    /// Poses with as many bones as the characters of the group have pose them, too.
    /// @return false, and nothing is done, where there are more poses than bodies or their dimension is another one
    bool show(const pliant::Poses& poses);

    /// Gives a body a colour of its own, linear RGBA: it multiplies that of the surface, and gl_Color of programs that
    /// read it.
    void setColour(int body, const osg::Vec4f& colour);
    /// The colour that multiplies that of the surface; white where none was set.
    osg::Vec4f getColour(int body) const;

    /// Shows or hides a body. Hidden bodies are neither drawn nor picked nor part of the bound; setBody() does not show
    /// them again.
    void setBodyVisible(int body, bool visible);
    /// Whether a body is shown.
    bool getBodyVisible(int body) const;
    /// Hides the body and forgets its state; the number may be used again by setBody().
    void removeBody(int body);

    /// The body frame in this node's coordinates, as of the last setBody().
    osg::Matrixd getWorldFromBody(int body) const;
    /// The r reduced coordinates, as of the last setBody().
    std::vector<double> getQ(int body) const;

    /// Both at once, so that they are of one setBody().
    /// @param body          its number
    /// @param worldFromBody the body frame in this node's coordinates, written
    /// @param q             the r reduced coordinates, written
    /// @return false, and nothing is written, where it is not shown
    bool getBody(int body, osg::Matrixd& worldFromBody, std::vector<double>& q) const;
    /// Where a body is drawn: what the last update traversal has taken over. Not while one is under way.
    /// @param body          its number
    /// @param worldFromBody the body frame in this node's coordinates, written
    /// @param q             the r reduced coordinates, written
    /// @return false, and nothing is written, where it is not drawn
    bool getShown(int body, osg::Matrixd& worldFromBody, std::vector<double>& q) const;
    /// The bones of a character (CharacterGroup.h), as of the last time they were set; none of other bodies.
    /// @param body  its number
    /// @param bones B maps, body frame of the model -> the frame of getWorldFromBody(), written
    /// @return false, and nothing is written, where it is not shown
    bool getBones(int body, std::vector<pliant::AffineMap>& bones) const;
    /// The same where it is drawn, as getShown().
    bool getShownBones(int body, std::vector<pliant::AffineMap>& bones) const;
    /// Those who have to know that bodies are drawn elsewhere; told in the update traversal.
    Followers& getFollowers() { return _followers; }

    /// Bodies that are small on the screen are drawn with fewer triangles, as long as the surface at rest moves by no
    /// more than this many pixels: no vertex of a Skin, root mean squares around the vertices of a ModelGeometry. 0:
    /// always in full detail. Until it is called that is 1 for a ModelGeometry and 0 for a Skin, whose levels are made
    /// by the first call with more (Skin::makeLevels()), at once: some hundred milliseconds of a large mesh. Not while
    /// cameras cull.
    void setPixelError(double pixels);
    /// The largest error of simplified bodies, pixels.
    double getPixelError() const;

    /// Tells where the sums U q of bodies with a Skin are made; SumsByRenderer until it is called. On the processor
    /// they take 24 bytes a vertex and body in every pass, 256 MiB a cull visitor, and are not made again at rest;
    /// where they have no room, or the context has no buffers of three floats a texel, and for characters, for coarse
    /// levels of detail and in the first frame of a window, vertex shaders make them. Not written to files. Not while
    /// cameras cull.
    void setSumPlace(SumPlace place) { _sumPlace = place; }
    /// Where sums are made.
    SumPlace getSumPlace() const { return _sumPlace; }

    /// Box of a body in this node's coordinates, as of the last setBody(); invalid for hidden ones.
    osg::BoundingBoxd getBodyBound(int body) const;
    /// Box of all visible bodies in this node's coordinates, as of the last setBody().
    osg::BoundingBoxd getBodiesBound() const;

    /// The body that an intersector hit, or -1 if the hit is on something else.
    static int getBodyHit(const osgUtil::LineSegmentIntersector::Intersection& hit);
    /// What a ray hit; an invalid BodyHit if that is not a body.
    static BodyHit getHit(const osgUtil::LineSegmentIntersector::Intersection& hit);
    /// What a polytope hit; an invalid BodyHit if that is not a body.
    static BodyHit getHit(const osgUtil::PolytopeIntersector::Intersection& hit);

    /// Lets exporters see the bodies as plain geometries, as they are at that moment (SoftwareDeformation): visitors of
    /// a kind that has no name of its own, as those of OpenSceneGraph's plugins for meshes. Off by default: other
    /// visitors without a name would see them, too, and their vertices are made for each of them.
    void setSeenByExporters(bool seen) { _seenByExporters = seen; }
    /// Whether exporters see plain geometries.
    bool getSeenByExporters() const { return _seenByExporters; }

    /// The number of views that the group keeps drawables for: two for every camera that draws it, one a buffer of its
    /// renderer. Those of cameras that are gone are removed when a new one comes.
    int getViewCount() const;

    /// OpenSceneGraph's traversal: update takes over what setBody() wrote, cull chooses levels of detail.
    void traverse(osg::NodeVisitor& visitor) override;
    /// The bounding sphere of all visible bodies.
    osg::BoundingSphere computeBound() const override;
    /// OpenSceneGraph's callback for the number of contexts.
    void resizeGLObjectBuffers(unsigned int maxSize) override;
    /// Gives OpenGL objects back; they are made again when needed. Programs that groups laid out alike share are given
    /// back for them, too. Without a state, that is for all contexts, not while one of them draws.
    void releaseGLObjects(osg::State* state = nullptr) const override;

protected:
    ~BodyGroup() override;

private:
    friend class BodyPick;
    friend class CharacterGroup;
    friend struct BodyGroupWrapper;
    struct PLIANT_HIDDEN Data;
    void follow(ModelGeometry* geometry, Skin* skin);
    void createDrawables();
    osg::ref_ptr<osg::Node> getTemplate();
    void update();
    void cull(osgUtil::CullVisitor& visitor);

    osg::ref_ptr<ModelGeometry> _geometry;
    osg::ref_ptr<Skin> _skin;
    std::string _positionName, _normalName;
    Followers _followers;
    std::unique_ptr<Data> _data;
    double _pixelError = -1.0;  ///< Pixels; below 0: that of the kind of look.
    SumPlace _sumPlace = SumsByRenderer;
    bool _seenByExporters = false;
};

}  // namespace osgPliant
