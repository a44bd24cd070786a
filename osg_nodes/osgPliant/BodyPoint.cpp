// SPDX-License-Identifier: Zlib
#include "osgPliant/BodyPoint.h"

#include <Eigen/SVD>
#include <mutex>
#include <optional>
#include <osg/Notify>

#include "osgPliant/Conversions.h"
#include "pliant/model/MaterialFrame.h"

namespace osgPliant {

/// The material at the point. Several cameras may ask at once.
struct BodyPoint::Carrier {
    std::mutex mutex;
    std::shared_ptr<const pliant::ReducedModel> model;
    std::optional<pliant::MaterialFrame> frame;
    bool isWeighed = false;  ///< of a character: the bones that the point follows are known
    int bones[4] = {0, 0, 0, 0};
    double weights[4] = {0.0, 0.0, 0.0, 0.0};
    osg::Matrixd matrix;  ///< the last one
};

BodyPoint::BodyPoint() : _carrier(new Carrier) {}

BodyPoint::BodyPoint(BodyGroup* group, int body, const osg::Vec3d& restPoint) : BodyPoint() {
    setPoint(group, body, restPoint);
}

BodyPoint::BodyPoint(const BodyPoint& other, const osg::CopyOp& copyop)
    : osg::Transform(other, copyop), Follower(), _carrier(new Carrier) {
    osg::ref_ptr<BodyGroup> group;
    other._group.lock(group);
    setPoint(group, other._body, other._restPoint);
    const std::lock_guard<std::mutex> lock(other._carrier->mutex);
    _carrier->matrix = other._carrier->matrix;
}

BodyPoint::~BodyPoint() {
    leave();
}

void BodyPoint::leave() {
    osg::ref_ptr<BodyGroup> group;
    if (_group.lock(group)) group->getFollowers().remove(*this);
    _group = nullptr;
}

void BodyPoint::setPoint(BodyGroup* group, int body, const osg::Vec3d& restPoint) {
    leave();
    _group = group;
    _body = body;
    _restPoint = restPoint;
    _carrier->model = nullptr;
    _carrier->isWeighed = false;
    _carrier->frame.reset();
    if (group) group->getFollowers().add(*this);
    dirtyBound();
}

osg::Matrixd BodyPoint::getMatrix() const {
    const std::lock_guard<std::mutex> lock(_carrier->mutex);
    osg::ref_ptr<BodyGroup> group;
    osg::Matrixd worldFromBody;
    std::vector<double> q;
    if (!_group.lock(group) || !group->getShown(_body, worldFromBody, q)) return _carrier->matrix;
    const std::shared_ptr<const pliant::ReducedModel> model = group->getSharedModel();
    pliant::RigidTransform rest;
    rest.translation = fromOsg(_restPoint);
    if (_carrier->model != model) {  // the group may have got another look
        _carrier->model = model;
        _carrier->frame.reset();
        _carrier->isWeighed = false;
        if (model->mesh.elementCount() > 0 && model->basis.rows() == 3 * model->mesh.positions.cols())
            _carrier->frame.emplace(*model, pliant::embed(model->mesh, rest.translation).front(), rest);
        else
            OSG_WARN << "osgPliant: the model " << model->name
                     << " has no mesh: a BodyPoint rides on the body's frame, without its deformation" << std::endl;
    }
    pliant::RigidTransform local;
    local.translation = model->meshFromBody.inversePoint(rest.translation);
    local.rotation = model->meshFromBody.rotation.transpose();
    if (_carrier->frame) {
        _carrier->frame->update(q.data());
        local.translation = _carrier->frame->position();
        local.rotation = _carrier->frame->basis();
    }
    std::vector<pliant::AffineMap> bones;
    if (group->getShownBones(_body, bones) && !bones.empty()) followBones(*group, bones, local);
    return _carrier->matrix = toOsg(local) * worldFromBody;
}

void BodyPoint::followBones(const BodyGroup& group, const std::vector<pliant::AffineMap>& bones,
                            pliant::RigidTransform& local) const {
    const auto character = group.getSkin() ? group.getSkin()->getCharacter() : group.getModelGeometry()->getCharacter();
    if (!character || character->flesh->mesh.elementCount() == 0) return;
    const pliant::ReducedModel& flesh = *character->flesh;
    Carrier& carrier = *_carrier;
    if (!carrier.isWeighed)
        pliant::weightsAt(character->skin.nodes, pliant::embed(flesh.mesh, fromOsg(_restPoint)).front(), carrier.bones,
                          carrier.weights);
    carrier.isWeighed = true;
    const pliant::Vector3 x = flesh.meshFromBody.inversePoint(fromOsg(_restPoint)), u = local.translation - x;
    pliant::Vector3 p = pliant::Vector3::Zero();
    pliant::Matrix3 turn = pliant::Matrix3::Zero();
    for (int i = 0; i < 4; ++i) {
        const pliant::AffineMap& bone = bones[static_cast<std::size_t>(carrier.bones[i])];
        const double scale = bone.row(0).head<3>().norm();
        p += carrier.weights[i] * (bone.leftCols<3>() * (x + u / scale) + bone.col(3));
        turn += carrier.weights[i] / scale * bone.leftCols<3>();
    }
    // The nearest rotation to the mean of the bones'.
    const Eigen::JacobiSVD<pliant::Matrix3> svd(turn, Eigen::ComputeFullU | Eigen::ComputeFullV);
    local.translation = p;
    pliant::Matrix3 left = svd.matrixU();
    if (left.determinant() * svd.matrixV().determinant() < 0.0) left.col(2) = -left.col(2);  // no mirror
    local.rotation = left * svd.matrixV().transpose() * local.rotation;
}

bool BodyPoint::computeLocalToWorldMatrix(osg::Matrix& matrix, osg::NodeVisitor*) const {
    if (_referenceFrame == RELATIVE_RF)
        matrix.preMult(getMatrix());
    else
        matrix = getMatrix();
    return true;
}

bool BodyPoint::computeWorldToLocalMatrix(osg::Matrix& matrix, osg::NodeVisitor*) const {
    const osg::Matrixd inverse = osg::Matrixd::inverse(getMatrix());
    if (_referenceFrame == RELATIVE_RF)
        matrix.postMult(inverse);
    else
        matrix = inverse;
    return true;
}

}  // namespace osgPliant
