// SPDX-License-Identifier: Zlib
#include "pliant/runtime/lattice/LatticeBatch.h"

#include <algorithm>

#include "pliant/math/Error.h"
#include "pliant/runtime/lattice/BatchData.h"

namespace pliant {

LatticePin pinOfVertex(const LatticeModel& model, int vertex, const Vector3& place) {
    LatticePin pin;
    const auto begin = static_cast<std::size_t>(model.surfacePoints.first[static_cast<std::size_t>(vertex)]);
    const auto end = static_cast<std::size_t>(model.surfacePoints.first[static_cast<std::size_t>(vertex) + 1]);
    for (std::size_t k = begin; k < end; ++k) {
        pin.functions.push_back(model.surfacePoints.functions[k]);
        pin.values.push_back(model.surfacePoints.values[k]);
    }
    pin.place = place;
    return pin;
}

LatticeBatch::LatticeBatch(std::shared_ptr<const LatticeModel> model, const LatticeSettings& settings)
    : m_data(std::make_unique<Data>()) {
    const auto refuse = [](const std::string& what) { throw Error("lattice flesh", what); };
    if (!model || model->regions.empty()) refuse("the model has no regions");
    if (!(settings.massDamping >= 0.0 && settings.stiffnessDamping >= 0.0)) refuse("damping is not below zero");
    if (!(settings.coreFactor >= 0.0)) refuse("the stiffness of cores is not below zero");
    if (settings.iterations < 1 || settings.iterations > 1000) refuse("iterations are 1 to 1000");
    m_data->model = std::move(model);
    m_data->settings = settings;
    if (!(settings.coarsen >= 0.0 && settings.coarsen < settings.refine))
        refuse("flesh is refined at a larger strain than it is coarsened at");
    if (settings.fadeSteps < 1) refuse("functions fade in one step at least");
    for (std::size_t a = 0; a < m_data->model->boneOf.size(); ++a)
        m_data->isFree.push_back(m_data->model->boneOf[a] < 0 && !(settings.adapt && m_data->model->level[a] > 0));
    for (const LatticeRegion& region : m_data->model->regions)
        m_data->shared.K.push_back(withCore(region.shared, settings.coreFactor * region.coreStiffness));
}

LatticeBatch::~LatticeBatch() = default;
LatticeBatch::LatticeBatch(LatticeBatch&&) noexcept = default;
LatticeBatch& LatticeBatch::operator=(LatticeBatch&&) noexcept = default;

const LatticeModel& LatticeBatch::model() const {
    return *m_data->model;
}

const LatticeSettings& LatticeBatch::settings() const {
    return m_data->settings;
}

int LatticeBatch::add(const std::vector<MovingFrame>& bones) {
    std::vector<LatticeBody>& bodies = m_data->bodies;
    const auto free = std::find_if(bodies.begin(), bodies.end(), [](const LatticeBody& b) { return !b.used; });
    const auto slot = free - bodies.begin();
    if (free == bodies.end()) bodies.emplace_back();
    LatticeBody& body = bodies[static_cast<std::size_t>(slot)];
    const Eigen::Index n = m_data->model->functionCount();
    body = {};
    body.used = true;
    body.p.setZero(3, n);
    body.v.setZero(3, n);
    body.impulse.setZero(3, n);
    body.correction.setZero(3, n);
    body.isFree = m_data->isFree;
    body.fading.assign(body.isFree.size(), 0);
    body.refinements.assign(m_data->model->strains.size(), 0);
    m_data->placeOnSkin(body, bones);
    m_data->reserve((capacity() + latticeLanes - 1) / latticeLanes);
    return static_cast<int>(slot);
}

void LatticeBatch::remove(int body) {
    m_data->bodies[static_cast<std::size_t>(body)] = {};
}

int LatticeBatch::capacity() const {
    return static_cast<int>(m_data->bodies.size());
}

bool LatticeBatch::isUsed(int body) const {
    return m_data->bodies[static_cast<std::size_t>(body)].used;
}

void LatticeBatch::placeOnSkin(int body, const std::vector<MovingFrame>& bones) {
    m_data->placeOnSkin(m_data->bodies[static_cast<std::size_t>(body)], bones);
}

void LatticeBatch::setBones(int body, const std::vector<MovingFrame>& bones) {
    m_data->bodies[static_cast<std::size_t>(body)].bones = bones;
}

void LatticeBatch::addForce(int body, const LatticePin& point, const Vector3& force) {
    LatticeBody& b = m_data->bodies[static_cast<std::size_t>(body)];
    for (std::size_t k = 0; k < point.functions.size(); ++k)
        b.impulse.col(point.functions[k]) += point.values[k] * force;
    b.forced = true;
}

void LatticeBatch::pin(int body, std::vector<LatticePin> pins) {
    m_data->bodies[static_cast<std::size_t>(body)].pins = std::move(pins);
}

void LatticeBatch::movePin(int body, int pin, const Vector3& place) {
    m_data->bodies[static_cast<std::size_t>(body)].pins[static_cast<std::size_t>(pin)].place = place;
}

void LatticeBatch::step(double h, const std::vector<int>& bodies, const Vector3& gravity, const Workers& workers) {
    if (bodies.empty() || !(h > 0.0)) return;
    m_data->prepare(h, bodies);
    workers.forBlocks(static_cast<int>(m_data->groups.size()), 1, [&](int begin, int end) {
        for (int g = begin; g < end; ++g) {
            const auto group = m_data->groups[static_cast<std::size_t>(g)];
            m_data->stepGroup(m_data->order.data() + group.begin, group.count, gravity,
                              m_data->memory[static_cast<std::size_t>(g)]);
        }
    });
}

int LatticeBatch::activeFunctions(int body) const {
    const LatticeBody& b = m_data->bodies[static_cast<std::size_t>(body)];
    int count = 0;
    for (std::size_t a = 0; a < b.isFree.size(); ++a) count += isActive(body, static_cast<int>(a));
    return count;
}

bool LatticeBatch::isActive(int body, int function) const {
    const LatticeBody& b = m_data->bodies[static_cast<std::size_t>(body)];
    const auto a = static_cast<std::size_t>(function);
    return b.isFree[a] || m_data->model->boneOf[a] >= 0 || b.fading[a] > 0;
}

LatticeStatus LatticeBatch::status(int body) const {
    return m_data->bodies[static_cast<std::size_t>(body)].status;
}

Eigen::Map<Points> LatticeBatch::positions(int body) {
    Points& p = m_data->bodies[static_cast<std::size_t>(body)].p;
    return {p.data(), 3, p.cols()};
}

Eigen::Map<Points> LatticeBatch::velocities(int body) {
    Points& v = m_data->bodies[static_cast<std::size_t>(body)].v;
    return {v.data(), 3, v.cols()};
}

Eigen::Map<const Points> LatticeBatch::positions(int body) const {
    const Points& p = m_data->bodies[static_cast<std::size_t>(body)].p;
    return {p.data(), 3, p.cols()};
}

Eigen::Map<const Points> LatticeBatch::velocities(int body) const {
    const Points& v = m_data->bodies[static_cast<std::size_t>(body)].v;
    return {v.data(), 3, v.cols()};
}

void LatticeBatch::surface(int body, Points& points) const {
    const LatticePoints& from = m_data->model->surfacePoints;
    const Points& p = m_data->bodies[static_cast<std::size_t>(body)].p;
    points.resize(3, from.count());
    for (int s = 0; s < from.count(); ++s) {
        Vector3 x = Vector3::Zero();
        for (auto k = static_cast<std::size_t>(from.first[static_cast<std::size_t>(s)]);
             k < static_cast<std::size_t>(from.first[static_cast<std::size_t>(s) + 1]); ++k)
            x += from.values[k] * p.col(from.functions[k]);
        points.col(s) = x;
    }
}

void LatticeBatch::response(int body, const Points& impulses, Points& changes) const {
    m_data->response(m_data->bodies[static_cast<std::size_t>(body)], impulses, changes);
}

double LatticeBatch::kineticEnergy(int body) const {
    const Points& v = m_data->bodies[static_cast<std::size_t>(body)].v;
    double energy = 0.0;
    for (int k = 0; k < 3; ++k) {
        const VectorX axis = v.row(k).transpose();
        energy += 0.5 * axis.dot(m_data->model->mass * axis);
    }
    return energy;
}

}  // namespace pliant
