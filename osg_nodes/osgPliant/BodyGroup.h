// SPDX-License-Identifier: Zlib
// N bodies of one model in one instanced draw per material.
//
//     osg::ref_ptr<osgPliant::BodyGroup> baskets = new osgPliant::BodyGroup(new osgPliant::ModelGeometry(model));
//     baskets->setBodyCount(512);
//     scene->addChild(baskets);
//     // every frame, from any thread:
//     baskets->setBody(i, worldFromBody, batch.q(slot).data());
//
// setBody() writes to a copy of its own; the picture follows in the next update traversal, so draw threads never see a
// half-written body. Coordinates are those of this node: put transforms above it as usual. Line and polytope
// intersectors hit the deformed triangles; getBodyHit() tells whose.
#pragma once

#include <memory>
#include <osg/Group>
#include <osg/Matrixd>
#include <osgUtil/CullVisitor>
#include <osgUtil/LineSegmentIntersector>
#include <vector>

#include "osgPliant/ModelGeometry.h"

namespace osgPliant {

class BodyGroup : public osg::Group {
public:
    BodyGroup();
    explicit BodyGroup(ModelGeometry* geometry, int bodyCount = 0);
    /// Bodies are copied; the ModelGeometry is shared unless DEEP_COPY_OBJECTS makes an equal one of the same model.
    BodyGroup(const BodyGroup& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
    META_Node(osgPliant, BodyGroup)

        const ModelGeometry* getModelGeometry() const {
        return _geometry.get();
    }

    /// New bodies are hidden until their first setBody(). May allocate; call outside of the draw traversal.
    void setBodyCount(int count);
    int getBodyCount() const;

    /// @param body          0 .. getBodyCount() - 1; others are ignored
    /// @param worldFromBody the model's *body frame* in this node's coordinates
    /// @param q             r reduced coordinates
    void setBody(int body, const osg::Matrixd& worldFromBody, const double* q);
    void setBody(int body, const osg::Matrixd& worldFromBody, const float* q);
    /// The same for the model's *mesh frame*, the one of the user's file.
    void setBodyFromMesh(int body, const osg::Matrixd& worldFromMesh, const double* q);

    /// Hidden bodies are neither drawn nor picked nor part of the bound; setBody() does not show them again.
    void setBodyVisible(int body, bool visible);
    bool getBodyVisible(int body) const;
    /// Hides the body and forgets its state; the number may be used again by setBody().
    void removeBody(int body);

    osg::Matrixd getWorldFromBody(int body) const;
    std::vector<double> getQ(int body) const;  ///< r

    /// Bodies that are small on the screen are drawn with fewer triangles, as long as no point of the surface moves by
    /// more than this many pixels. 0: always in full detail.
    void setPixelError(double pixels) { _pixelError = pixels; }
    double getPixelError() const { return _pixelError; }

    /// This node's box of a body / of all visible bodies, as of the last setBody().
    osg::BoundingBoxd getBodyBound(int body) const;
    osg::BoundingBoxd getBodiesBound() const;

    /// The body that an intersector hit, or -1 if the hit is on something else.
    static int getBodyHit(const osgUtil::LineSegmentIntersector::Intersection& hit);

    void traverse(osg::NodeVisitor& visitor) override;
    osg::BoundingSphere computeBound() const override;
    void resizeGLObjectBuffers(unsigned int maxSize) override;
    void releaseGLObjects(osg::State* state = nullptr) const override;

protected:
    ~BodyGroup() override;

private:
    friend class BodyPick;
    struct Data;
    void createDrawables();
    void update();
    void cull(osgUtil::CullVisitor& visitor);

    osg::ref_ptr<ModelGeometry> _geometry;
    std::unique_ptr<Data> _data;
    double _pixelError = 1.0;
};

}  // namespace osgPliant
