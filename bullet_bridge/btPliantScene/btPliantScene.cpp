// SPDX-License-Identifier: Zlib
#include "btPliantScene/btPliantScene.h"

#include <btBulletDynamicsCommon.h>

#include <limits>

#include "btPliant/btPliantDetail.h"
#include "btPliantScene/BodiesSensor.h"
#include "btPliantScene/Framing.h"
#include "btPliantScene/HandBeside.h"
#include "btPliantScene/IdlePairs.h"
#include "btPliantScene/JointLinks.h"
#include "btPliantScene/SceneClock.h"
#include "btPliantScene/SceneFields.h"
#include "btPliantScene/SceneJoints.h"
#include "btPliantScene/ScenePool.h"
#include "btPliantScene/SceneSleep.h"
#include "btPliantScene/SceneTools.h"
#include "btPliantScene/btPliantConversions.h"
#include "pliant/math/Error.h"

using btPliantInternal::SceneData;

btPliantSystemInfo btPliantScene::getSystemInfo(const pliant::scene::SceneDescription& scene, int threads) {
    btPliantSystemInfo info;
    info.m_threads = threads;
    info.m_settings.doublePrecision = scene.solver.doublePrecision;
    info.m_settings.tangentTolerance = scene.solver.tangentTolerance;
    info.m_margin = static_cast<btScalar>(scene.solver.margin);
    return info;
}

void btPliantScene::applySettings(const pliant::scene::SceneDescription& scene, btDiscreteDynamicsWorld& world) {
    world.setGravity(pliant::toBullet(scene.gravity));
    world.getSolverInfo().m_numIterations = scene.solver.iterations;
    world.getDispatchInfo().m_deterministicOverlappingPairs = true;
}

btPliantScene::btPliantScene(btPliantSystem& system, const pliant::scene::SceneDescription& scene, const Models& models)
    : m_data(std::make_unique<SceneData>(system, scene)) {
    if (!system.isConnected()) throw pliant::Error(scene.file, system.getStatus());
    if (models.size() != scene.models.size())
        throw pliant::Error(scene.file, "the scene has " + std::to_string(scene.models.size()) + " models, " +
                                            std::to_string(models.size()) + " were given");
    m_data->models = models;
    btPliantInternal::buildScene(*m_data);
}

btPliantScene::~btPliantScene() {
    for (const auto& tool : m_data->tools)
        if (tool.tool) m_data->world.removeConstraint(tool.tool.get());
    m_data->tools.clear();  // those without mass give their bodies back, which are there still
    if (m_data->clock)
        for (const btPliantInternal::SensorBodies& sensor : m_data->clock->bodies)
            m_data->system.destroyContactSensor(sensor.contacts);
    for (const auto& joint : m_data->joints) m_data->world.removeConstraint(joint.get());
    for (const Deformable& deformable : m_data->deformables) m_data->system.destroyBody(deformable.m_body);
    for (const Rigid& rigid : m_data->rigids) m_data->world.removeRigidBody(rigid.m_body);
    if (m_data->ground) m_data->world.removeRigidBody(m_data->ground.get());
}

namespace {

/// Once a frame.
void chooseDetail(SceneData& data) {
    if (!data.scene.detail || data.steps++ % data.scene.time.substeps != 0) return;
    btPliantViewer viewer;
    viewer.m_eye = pliant::toBullet(data.scene.camera->from);
    viewer.m_fieldOfView = static_cast<btScalar>(data.scene.camera->fieldOfView) * SIMD_RADS_PER_DEG;
    viewer.m_imageHeight = data.scene.output.height;
    btPliantDetailPolicy policy;
    policy.m_fullPixels = static_cast<btScalar>(data.scene.detail->pixels);
    policy.m_least = data.scene.detail->least;
    policy.m_quietEnergy = data.scene.detail->quietEnergy;
    btPliantSetLevelOfDetail(data.system, viewer, policy);
}

}  // namespace

void btPliantScene::beforeStep() {
    if (m_data->clock && !m_data->hasBegun) btPliantInternal::advanceClock(*m_data);
    if (!m_data->hasBegun) m_data->idle = std::make_unique<btPliantInternal::IdlePairs>(*m_data);
    m_data->hasBegun = true;
    chooseDetail(*m_data);
    btPliantInternal::drive(*m_data);
    if (m_data->fields) btPliantInternal::applyFields(*m_data);
    btPliantInternal::followDevices(*m_data);
}

void btPliantScene::afterStep() {
    m_data->time += m_data->scene.time.step();
    btPliantInternal::keepAwakeWhatNothingCarries(*m_data);
    btPliantInternal::tellDevices(*m_data);
    if (m_data->clock) btPliantInternal::advanceClock(*m_data);
    if (m_data->idle) m_data->idle->look(*m_data);
}

void btPliantScene::step() {
    beforeStep();
    // one step of exactly this length: Bullet's own substepping would round its clock in single precision
    m_data->world.stepSimulation(static_cast<btScalar>(m_data->scene.time.step()), 0);
    afterStep();
}

void btPliantScene::setLive(const pliant::scene::LivePath& path, double value) {
    using Kind = pliant::scene::LivePath::Kind;
    const bool isOfGroup = path.kind == Kind::Position || path.kind == Kind::Rotation;
    if (isOfGroup) throw pliant::Error("btPliantScene::setLive", "places are led by events", "move the body itself");
    btPliantInternal::setLive(*m_data, path, value);
}

void btPliantScene::finish() {
    if (m_data->isOver) return;
    if (m_data->clock) {
        m_data->clock->timeline.finish(m_data->time);
        m_data->warnings = m_data->clock->timeline.warnings();
    }
    for (const std::string& points : btPliantInternal::givenUpPoints(*m_data)) m_data->warnings.push_back(points);
    for (const std::string& device : btPliantInternal::failedDevices(*m_data)) m_data->warnings.push_back(device);
    if (m_data->idle)
        for (const std::string& pair : m_data->idle->told()) m_data->warnings.push_back(pair);
    const std::string status = m_data->system.getStatus();
    if (!status.empty()) m_data->warnings.push_back(status.substr(0, status.find_last_not_of(' ') + 1));
    m_data->isOver = true;
}

bool btPliantScene::isStopped() const {
    return m_data->clock && m_data->clock->isStopped;
}

int btPliantScene::getActionCount() const {
    return m_data->clock ? m_data->clock->actions : 0;
}

void btPliantScene::setRecordFolder(const std::string& folder) {
    if (m_data->clock) m_data->clock->timeline.setFolder(folder);
}

void btPliantScene::setSayCallback(std::function<void(double, const std::string&)> say) {
    if (m_data->clock) m_data->clock->say = std::move(say);
}

std::vector<std::string> btPliantScene::takePictures() {
    std::vector<std::string> wanted;
    if (m_data->clock) wanted.swap(m_data->clock->pictures);
    return wanted;
}

const std::vector<std::string>& btPliantScene::getFailures() const {
    static const std::vector<std::string> none;
    return m_data->clock ? m_data->clock->timeline.failures() : none;
}

const std::vector<std::string>& btPliantScene::getWarnings() const {
    return m_data->isOver || !m_data->clock ? m_data->warnings : m_data->clock->timeline.warnings();
}

bool btPliantScene::isPresent(const btRigidBody& body) {
    return btPliantInternal::isPresent(body);
}

double btPliantScene::getNumber(const std::string& name) const {
    if (!m_data->clock) return std::numeric_limits<double>::quiet_NaN();
    pliant::scene::Timeline& timeline = m_data->clock->timeline;
    const auto [sensor, number] = timeline.placeOf(name);
    if (sensor >= 0) btPliantInternal::measureUnread(*m_data->clock, sensor, number);
    return timeline.number(name);
}

double btPliantScene::getTime() const {
    return m_data->time;
}

const pliant::scene::SceneDescription& btPliantScene::getDescription() const {
    return m_data->scene;
}

btPliantSystem& btPliantScene::getSystem() const {
    return m_data->system;
}

const std::vector<btPliantScene::Deformable>& btPliantScene::getDeformables() const {
    return m_data->deformables;
}

const std::vector<btPliantScene::Rigid>& btPliantScene::getRigids() const {
    return m_data->rigids;
}

const std::vector<std::unique_ptr<btTypedConstraint>>& btPliantScene::getJoints() const {
    return m_data->joints;
}

btPliantTool& btPliantScene::getTool(int tool) const {
    const btPliantInternal::SceneTool& held = m_data->tools[static_cast<std::size_t>(tool)];
    if (!held.tool) throw pliant::Error("btPliantScene::getTool", "the tool is in a thread", "ask getHandThread()");
    return *held.tool;
}

btPliantHandThread* btPliantScene::getHandThread(int tool) const {
    const btPliantInternal::SceneTool& held = m_data->tools[static_cast<std::size_t>(tool)];
    return held.beside ? held.beside->hand.get() : nullptr;
}

pliant::ToolPose btPliantScene::getToolPose(int tool) const {
    return btPliantInternal::gripOf(m_data->tools[static_cast<std::size_t>(tool)]);
}

pliant::Wrench btPliantScene::getFeltWrench(int tool) const {
    return m_data->tools[static_cast<std::size_t>(tool)].felt;
}

std::shared_ptr<pliant::HandDevice> btPliantScene::getHandDevice(int tool) const {
    return m_data->tools[static_cast<std::size_t>(tool)].device;
}

void btPliantScene::setHandDevice(int tool, std::shared_ptr<pliant::HandDevice> device) {
    const auto i = static_cast<std::size_t>(tool);
    btPliantInternal::setDevice(m_data->scene.tools[i], std::move(device), m_data->tools[i]);
}

std::vector<btPliantScene::JointPoint> btPliantScene::getJointPoints(int joint) const {
    return btPliantInternal::jointPoints(*m_data, m_data->scene.joints[static_cast<std::size_t>(joint)]);
}

double btPliantScene::getMovingMass() const {
    return m_data->movingMass;
}

const pliant::scene::ScenePoses& btPliantScene::getPoses() {
    pliant::scene::ScenePoses& poses = m_data->poses;
    poses.time = m_data->time;
    for (const Deformable& d : m_data->deformables) {
        poses.isShown[static_cast<std::size_t>(d.m_model)][static_cast<std::size_t>(d.m_numberOfKind)] =
            isPresent(*d.m_body);
        poses.models[static_cast<std::size_t>(d.m_model)].set(d.m_numberOfKind,
                                                              pliant::fromBullet(d.m_body->getWorldTransform()),
                                                              d.m_body->getReducedCoordinates().data());
    }
    std::vector<pliant::AffineMap> bones;
    for (const Deformable& d : m_data->deformables) {
        const btPliantCharacter* character = btPliantCharacter::upcast(d.m_body);
        if (!character) continue;
        character->getBones(bones);
        poses.models[static_cast<std::size_t>(d.m_model)].setBones(d.m_numberOfKind, bones);
    }
    for (pliant::Poses& model : poses.models) model.time = m_data->time;
    for (std::size_t i = 0; i < poses.rigid.size(); ++i) {
        poses.rigid[i] = pliant::fromBullet(m_data->frames.placeOf(*m_data->rigids[i].m_body));
        poses.isRigidShown[i] = isPresent(*m_data->rigids[i].m_body);
    }
    for (std::size_t i = 0; i < poses.isHeld.size(); ++i) poses.isHeld[i] = m_data->joints[i]->isEnabled();
    btPliantInternal::collectLinks(*this, poses.links);
    return poses;
}

void btPliantScene::setPoses(const pliant::scene::ScenePoses& poses) {
    const auto place = [&](btRigidBody& body, const pliant::RigidTransform& frame) {
        body.setWorldTransform(m_data->frames.bodyAt(body, pliant::toBullet(frame)));
        body.setInterpolationWorldTransform(body.getWorldTransform());
    };
    for (const Deformable& d : m_data->deformables) {
        const pliant::Poses& model = poses.models[static_cast<std::size_t>(d.m_model)];
        place(*d.m_body, model.worldFromBody[static_cast<std::size_t>(d.m_numberOfKind)]);
        d.m_body->setReducedCoordinates(
            Eigen::Map<const pliant::VectorX>(model.qOf(d.m_numberOfKind), model.dimension));
    }
    for (std::size_t i = 0; i < poses.rigid.size(); ++i) place(*m_data->rigids[i].m_body, poses.rigid[i]);
    for (std::size_t i = 0; i < poses.isHeld.size(); ++i) {
        m_data->joints[i]->setEnabled(poses.isHeld[i] != 0);
        m_data->joints[i]->buildJacobian();  // which brings the frames on reduced bodies up to date
    }
    m_data->time = poses.time;
}

pliant::scene::Bounds btPliantScene::getBounds() const {
    return btPliantInternal::boundsOf(*this);
}

pliant::scene::ViewPoint btPliantScene::getViewPoint() const {
    return btPliantInternal::viewPoint(*this);
}

pliant::scene::WholeView btPliantScene::getWholeView() const {
    pliant::scene::WholeView whole;
    whole.start = getViewPoint();
    whole.aspect = btPliantInternal::aspectOf(m_data->scene);
    whole.models.resize(m_data->poses.models.size());
    for (const Deformable& d : m_data->deformables) {
        pliant::scene::Bounds& box = whole.models[static_cast<std::size_t>(d.m_model)];
        if (d.m_numberOfKind > 0) continue;
        const pliant::Points& surface = d.m_body->getModel().surface.positions;
        for (Eigen::Index i = 0; i < surface.cols(); ++i) box.add(surface.col(i));
    }
    for (const Rigid& rigid : m_data->rigids) {
        const btCollisionShape& shape = *rigid.m_body->getCollisionShape();
        pliant::scene::Bounds box;
        if (shape.getShapeType() != STATIC_PLANE_PROXYTYPE) {
            btVector3 least, most;
            shape.getAabb(m_data->frames.placeOf(*rigid.m_body).inverse() * rigid.m_body->getWorldTransform(), least,
                          most);
            box.add(pliant::fromBullet(least));
            box.add(pliant::fromBullet(most));
        }
        whole.rigid.push_back(box);
    }
    return whole;
}
