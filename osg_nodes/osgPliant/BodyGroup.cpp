// SPDX-License-Identifier: Zlib
#include "osgPliant/BodyGroup.h"

#include <algorithm>
#include <osg/Notify>

#include "osgPliant/BodyGroupData.h"
#include "osgPliant/Conversions.h"

// Keeps the wrappers in programs that link a static library and never name them.
extern "C" void wrapper_serializer_osgPliant_BodyGroup();

namespace osgPliant {

BodyGroup::BodyGroup() : BodyGroup(static_cast<ModelGeometry*>(nullptr), 0) {}

BodyGroup::BodyGroup(ModelGeometry* geometry, int bodyCount) : _data(new Data(*this)) {
    follow(geometry, nullptr);
    _data->waitForUpdates(*this);
    createDrawables();
    setBodyCount(bodyCount);
}

BodyGroup::BodyGroup(Skin* skin, int bodyCount) : _data(new Data(*this)) {
    follow(nullptr, skin);
    _data->waitForUpdates(*this);
    createDrawables();
    setBodyCount(bodyCount);
}

BodyGroup::BodyGroup(const BodyGroup& other, const osg::CopyOp& copyop)
    : osg::Group(other, copyop),
      _positionName(other._positionName),
      _normalName(other._normalName),
      _data(new Data(*this)),
      _pixelError(other._pixelError),
      _sumPlace(other._sumPlace),
      _seenByExporters(other._seenByExporters) {
    osg::ref_ptr<ModelGeometry> geometry = other._geometry;
    if (geometry && (copyop.getCopyFlags() & osg::CopyOp::DEEP_COPY_OBJECTS)) {
        geometry = static_cast<ModelGeometry*>(geometry->clone(copyop));
    }
    follow(geometry, other._skin);
    {
        const std::lock_guard<std::mutex> lock(other._data->mutex);
        _data->written = other._data->written;
    }
    _data->waitForUpdates(*this);
    createDrawables();
    setBodyCount(_data->written.count());
}

BodyGroup::~BodyGroup() {
    follow(nullptr, nullptr);
    for (const auto& pick : _data->picks) pick->release();
}

void BodyGroup::follow(ModelGeometry* geometry, Skin* skin) {
    if (_geometry) _geometry->getFollowers().remove(_data->lookFollower);
    if (_skin) _skin->getFollowers().remove(_data->lookFollower);
    _geometry = geometry;
    _skin = skin;
    if (_geometry) _geometry->getFollowers().add(_data->lookFollower);
    if (_skin) _skin->getFollowers().add(_data->lookFollower);
}

void BodyGroup::setModelGeometry(ModelGeometry* geometry) {
    follow(geometry, nullptr);
    createDrawables();
}

void BodyGroup::setSkin(Skin* skin) {
    follow(nullptr, skin);
    createDrawables();
}

void BodyGroup::setAttributeNames(const std::string& position, const std::string& normal) {
    for (const std::string& name : {position, normal}) {
        if (name.empty() || isIdentifier(name)) continue;
        OSG_WARN << "osgPliant: \"" << name << "\" is not the name of an attribute" << std::endl;
        return;
    }
    _positionName = position;
    _normalName = normal;
    if (_data->composer) _data->composer->setAttributeNames({position, normal});
}

void BodyGroup::setPixelError(double pixels) {
    _pixelError = std::max(pixels, 0.0);
    if (_skin && _pixelError > 0.0) _skin->makeLevels();
}

double BodyGroup::getPixelError() const {
    if (_pixelError >= 0.0) return _pixelError;
    return _skin ? 0.0 : 1.0;
}

void BodyGroup::createDrawables() {
    wrapper_serializer_osgPliant_BodyGroup();
    if (_skin && getPixelError() > 0.0) _skin->makeLevels();
    _data->views.clear();
    _data->composer = nullptr;
    _data->proxy = nullptr;
    {
        const std::lock_guard<std::mutex> lock(_data->templateMutex);
        _data->partsAtRest = nullptr;
    }
    // What was drawn is not to be drawn with another look, nor with none.
    _data->shown = BodyStates();
    _data->revision = 0;
    _data->bounds.clear();
    _data->bound.init();
    for (const auto& pick : _data->picks) pick->invalidate();
    dirtyBound();
    if (!getDeformation()) return;
    const int dimension = getDeformation()->getDimension();
    const std::lock_guard<std::mutex> lock(_data->mutex);
    _data->changed = true;
    const int bones = getDeformation()->getBoneCount();
    for (BodyStates* states : {&_data->written, &_data->shown}) states->setLayout(dimension, bones);
    if (_skin) _data->composer = new ProgramComposer(getDeformation()->getChunkCount(), bones);
    if (_skin) _data->composer->setAttributeNames({_positionName, _normalName});
    _data->instancesBound = new InstancesBound;
    _data->proxy = new osg::Geometry;
    _data->proxy->setDataVariance(osg::Object::DYNAMIC);
    _data->proxy->setComputeBoundingBoxCallback(_data->instancesBound);
}

void BodyGroup::setBodyCount(int count) {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    _data->written.resize(std::max(count, 0));
    _data->changed = true;
    for (int i = static_cast<int>(_data->picks.size()); i < count; ++i) _data->picks.push_back(new BodyPick(this, i));
}

int BodyGroup::getBodyCount() const {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    return _data->written.count();
}

void BodyGroup::setBody(int body, const osg::Matrixd& worldFromBody, const double* q) {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    if (!_data->written.has(body)) return;
    _data->written.body(body).worldFromBody = worldFromBody;
    _data->written.body(body).placed = true;
    std::copy(q, q + _data->written.dimension, _data->written.qOf(body));
    _data->changed = true;
}

void BodyGroup::setBody(int body, const osg::Matrixd& worldFromBody, const float* q) {
    const std::vector<double> wide(q, q + (getDeformation() ? getDeformation()->getDimension() : 0));
    setBody(body, worldFromBody, wide.data());
}

void BodyGroup::setBodyFromMesh(int body, const osg::Matrixd& worldFromMesh, const double* q) {
    if (!getModel()) return;
    setBody(body, toOsg(getModel()->meshFromBody) * worldFromMesh, q);
}

bool BodyGroup::show(const pliant::Poses& poses) {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    BodyStates& states = _data->written;
    if (poses.count() > states.count() || poses.dimension != states.dimension) return false;
    for (int i = 0; i < poses.count(); ++i) {
        states.body(i).worldFromBody = toOsg(poses.worldFromBody[static_cast<std::size_t>(i)]);
        states.body(i).placed = true;
        if (states.boneCount > 0 && poses.boneCount == states.boneCount) states.setBones(i, poses.bonesOf(i));
        std::copy(poses.qOf(i), poses.qOf(i) + poses.dimension, states.qOf(i));
    }
    _data->changed = true;
    return true;
}

void BodyGroup::setColour(int body, const osg::Vec4f& colour) {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    if (!_data->written.has(body)) return;
    _data->written.body(body).colour = colour;
    _data->changed = true;
}

osg::Vec4f BodyGroup::getColour(int body) const {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    return _data->written.has(body) ? _data->written.body(body).colour : osg::Vec4f(1.0f, 1.0f, 1.0f, 1.0f);
}

void BodyGroup::setBodyVisible(int body, bool visible) {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    if (!_data->written.has(body)) return;
    _data->written.body(body).visible = visible;
    _data->changed = true;
}

bool BodyGroup::getBodyVisible(int body) const {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    return _data->written.drawn(body);
}

void BodyGroup::removeBody(int body) {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    if (!_data->written.has(body)) return;
    _data->written.body(body) = BodyStates::Body();
    std::fill_n(_data->written.qOf(body), _data->written.dimension, 0.0);
    std::fill_n(_data->written.bonesOf(body), _data->written.boneCount, pliant::AffineMap::Identity());
    _data->changed = true;
}

osg::Matrixd BodyGroup::getWorldFromBody(int body) const {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    return _data->written.has(body) ? _data->written.body(body).worldFromBody : osg::Matrixd();
}

std::vector<double> BodyGroup::getQ(int body) const {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    if (!_data->written.has(body)) return {};
    const double* q = _data->written.qOf(body);
    return {q, q + _data->written.dimension};
}

osg::BoundingBoxd BodyGroup::getBodyBound(int body) const {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    return getDeformation() ? _data->written.bound(*getDeformation(), body) : osg::BoundingBoxd();
}

osg::BoundingBoxd BodyGroup::getBodiesBound() const {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    return getDeformation() ? _data->written.bound(*getDeformation()) : osg::BoundingBoxd();
}

int BodyGroup::getBodyHit(const osgUtil::LineSegmentIntersector::Intersection& hit) {
    const auto* pick = dynamic_cast<const BodyPick*>(hit.drawable.get());
    return pick ? pick->getBody() : -1;
}

BodyHit BodyGroup::getHit(const osgUtil::LineSegmentIntersector::Intersection& hit) {
    const auto* pick = dynamic_cast<const BodyPick*>(hit.drawable.get());
    return pick ? pick->hitAt(hit.primitiveIndex, hit.localIntersectionPoint) : BodyHit();
}

BodyHit BodyGroup::getHit(const osgUtil::PolytopeIntersector::Intersection& hit) {
    const auto* pick = dynamic_cast<const BodyPick*>(hit.drawable.get());
    return pick ? pick->hitAt(hit.primitiveIndex, hit.localIntersectionPoint) : BodyHit();
}

const pliant::ReducedModel* BodyGroup::getModel() const {
    return getSharedModel().get();
}

std::shared_ptr<const pliant::ReducedModel> BodyGroup::getSharedModel() const {
    if (_skin) return _skin->getModel();
    return _geometry ? _geometry->getModel() : nullptr;
}

bool BodyGroup::getBody(int body, osg::Matrixd& worldFromBody, std::vector<double>& q) const {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    const BodyStates& states = _data->written;
    if (!states.drawn(body)) return false;
    worldFromBody = states.body(body).worldFromBody;
    q.assign(states.qOf(body), states.qOf(body) + states.dimension);
    return true;
}

bool BodyGroup::getShown(int body, osg::Matrixd& worldFromBody, std::vector<double>& q) const {
    const BodyStates& states = _data->readable();
    if (!getDeformation() || !states.drawn(body)) return false;
    worldFromBody = states.body(body).worldFromBody;
    q.assign(states.qOf(body), states.qOf(body) + states.dimension);
    return true;
}

bool BodyGroup::getShownBones(int body, std::vector<pliant::AffineMap>& bones) const {
    const BodyStates& states = _data->readable();
    if (!getDeformation() || !states.drawn(body)) return false;
    bones.assign(states.bonesOf(body), states.bonesOf(body) + states.boneCount);
    return true;
}

bool BodyGroup::getBones(int body, std::vector<pliant::AffineMap>& bones) const {
    const std::lock_guard<std::mutex> lock(_data->mutex);
    const BodyStates& states = _data->written;
    if (!states.drawn(body)) return false;
    bones.assign(states.bonesOf(body), states.bonesOf(body) + states.boneCount);
    return true;
}

const Deformation* BodyGroup::getDeformation() const {
    if (_skin) return _skin->getDeformation();
    return _geometry ? _geometry->getDeformation() : nullptr;
}

int BodyGroup::getViewCount() const {
    const std::lock_guard<std::mutex> lock(_data->viewsMutex);
    return static_cast<int>(_data->views.size());
}

}  // namespace osgPliant
