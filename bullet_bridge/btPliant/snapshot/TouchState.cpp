// SPDX-License-Identifier: Zlib
#include "btPliant/snapshot/TouchState.h"

#include <algorithm>
#include <cmath>

#include "btPliant/data/SystemData.h"
#include "btPliant/narrowphase/DistributedTouch.h"

using pliant::StateReader;
using pliant::StateStatus;
using pliant::StateWriter;

namespace btPliantInternal {

namespace {

constexpr std::size_t kMost = 10000000;
constexpr double kLargestGiven = 1e30;  ///< m, N s: sums of impulses still are numbers in Bullet's single precision.

void putRole(const TouchRole& role, StateWriter& out) {
    const PutNumbers put{out};
    const pliant::DistributedQuery::State query = role.query->state();
    put(role.shellIsA);
    put(role.query->placed().shell().pointCount());
    out.put(static_cast<std::uint64_t>(query.places.size()));
    for (const auto& polynomial : query.places)
        for (const pliant::Vector3& c : polynomial) put(c);
    out.put(query.weights.data(), query.weights.size());
    out.put(query.listReach);
    out.put(static_cast<std::uint64_t>(query.held.size()));
    for (const auto& held : query.held) {
        put(held.point);
        put(held.entry);
        put(held.normal);
    }
    for (const std::vector<double>* sums : {&query.travelled, &query.cellRests, &query.clusterRests}) {
        out.put(static_cast<std::uint64_t>(sums->size()));
        out.put(sums->data(), sums->size());
    }
    out.put(query.fieldTravelled);
    out.put(static_cast<std::uint64_t>(role.bristles.size()));
    for (const TouchRole::Bristle& bristle : role.bristles) {
        put(bristle.point);
        put(bristle.bend);
        out.put(bristle.normalForce);
    }
    out.put(static_cast<std::uint64_t>(role.given.size()));
    for (const TouchRole::Given& given : role.given) {
        put(given.point);
        for (const pliant::Vector3* v : {&given.place, &given.normal, &given.friction, &given.fieldRest}) put(*v);
        out.put(given.normalImpulse);
        out.put(given.depth);
    }
    out.put(static_cast<std::uint64_t>(role.fieldCoordinates.size()));
    out.put(role.fieldCoordinates.data(), static_cast<std::size_t>(role.fieldCoordinates.size()));
}

bool isAscending(int previous, int next) {
    return next > previous;
}

void getQuery(StateReader& in, pliant::DistributedQuery::State& query) {
    const GetNumbers get{in};
    const std::size_t cells = in.getCount(kMost);
    for (std::size_t i = 0; i < cells && in.ok(); ++i) {
        query.places.emplace_back();
        for (pliant::Vector3& c : query.places.back()) get(c);
    }
    in.get(query.weights.data(), query.weights.size());
    double sum = 0.0;
    for (const double weight : query.weights) {
        if (!(weight >= 0.0 && weight <= 1.0)) in.fail(StateStatus::BadNumber);
        sum += weight;
    }
    // They are shares, or there was no substep yet.
    if (sum != 0.0 && !(std::abs(sum - 1.0) < 1e-6)) in.fail(StateStatus::BadNumber);
    query.listReach = in.get<double>();
    if (!std::isfinite(query.listReach)) in.fail(StateStatus::BadNumber);
    const std::size_t held = in.getCount(kMost);
    for (std::size_t i = 0; i < held && in.ok(); ++i) {
        pliant::DistributedQuery::Held point{-1, pliant::Vector3::Zero(), pliant::Vector3::Zero()};
        get(point.point);
        get(point.entry);
        get(point.normal);
        if (!isAscending(i > 0 ? query.held.back().point : -1, point.point)) in.fail(StateStatus::BadNumber);
        query.held.push_back(point);
    }
    for (std::vector<double>* sums : {&query.travelled, &query.cellRests, &query.clusterRests}) {
        const std::size_t count = in.getCount(kMost);
        for (std::size_t i = 0; i < count && in.ok(); ++i) sums->push_back(in.get<double>());
        if (std::any_of(sums->begin(), sums->end(), [](double x) { return !std::isfinite(x); }))
            in.fail(StateStatus::BadNumber);
    }
    query.fieldTravelled = in.get<double>();
    if (!std::isfinite(query.fieldTravelled)) in.fail(StateStatus::BadNumber);
}

/// Bodies that sleep go on with them, so that sensors do so after a state is restored, too.
void getGiven(StateReader& in, SavedRole& role) {
    const GetNumbers get{in};
    const std::size_t count = in.getCount(kMost);
    for (std::size_t i = 0; i < count && in.ok(); ++i) {
        TouchRole::Given given;
        get(given.point);
        for (pliant::Vector3* v : {&given.place, &given.normal, &given.friction, &given.fieldRest}) get(*v);
        given.normalImpulse = in.get<double>();
        given.depth = in.get<double>();
        const bool follows = isAscending(i > 0 ? role.given.back().point : -1, given.point);
        double largest = std::max(std::abs(given.normalImpulse), std::abs(given.depth));
        for (const pliant::Vector3* v : {&given.place, &given.friction, &given.fieldRest})
            largest = std::max(largest, v->cwiseAbs().maxCoeff());
        const bool areNumbers = largest < kLargestGiven && given.normalImpulse >= 0.0;
        if (!follows || !areNumbers || !(std::abs(given.normal.norm() - 1.0) < 1e-6)) in.fail(StateStatus::BadNumber);
        role.given.push_back(given);
    }
}

void getRole(StateReader& in, SavedRole& role) {
    const GetNumbers get{in};
    get(role.shellIsA);
    get(role.points);
    getQuery(in, role.query);
    const std::size_t bristles = in.getCount(kMost);
    for (std::size_t i = 0; i < bristles && in.ok(); ++i) {
        TouchRole::Bristle bristle;
        get(bristle.point);
        get(bristle.bend);
        bristle.normalForce = in.get<double>();
        const bool follows = isAscending(i > 0 ? role.bristles.back().point : -1, bristle.point);
        const bool isForce = bristle.normalForce >= 0.0 && std::isfinite(bristle.normalForce);
        if (!follows || !isForce) in.fail(StateStatus::BadNumber);
        role.bristles.push_back(bristle);
    }
    getGiven(in, role);
    const std::size_t coordinates = in.getCount(kMost);
    for (std::size_t i = 0; i < coordinates && in.ok(); ++i) role.fieldCoordinates.push_back(in.get<double>());
    for (const double q : role.fieldCoordinates)
        if (!std::isfinite(q)) in.fail(StateStatus::BadNumber);
}

void putPatch(const TouchPair& touch, StateWriter& out) {
    const PutNumbers put{out};
    const btPliantContactPatch& patch = touch.patch;
    for (const btVector3* v : {&patch.m_force, &patch.m_torque, &patch.m_centroid, &touch.otherTorque}) put(*v);
    out.put(patch.m_area);
    out.put(patch.m_depth);
    out.put(static_cast<std::uint64_t>(patch.m_points.size()));
    for (const btPliantContactPatch::Point& point : patch.m_points) {
        put(point.m_position);
        put(point.m_normal);
        for (const double x : {point.m_depth, point.m_area, point.m_pressure}) out.put(x);
    }
}

void getPatch(StateReader& in, SavedTouch& saved) {
    const GetNumbers get{in};
    const auto number = [&in](double& x) {
        x = in.get<double>();
        if (!std::isfinite(x)) in.fail(StateStatus::BadNumber);
    };
    btPliantContactPatch& patch = saved.patch;
    for (btVector3* v : {&patch.m_force, &patch.m_torque, &patch.m_centroid, &saved.otherTorque}) get(*v);
    number(patch.m_area);
    number(patch.m_depth);
    const std::size_t points = in.getCount(kMost);
    for (std::size_t i = 0; i < points && in.ok(); ++i) {
        btPliantContactPatch::Point point;
        get(point.m_position);
        get(point.m_normal);
        for (double* x : {&point.m_depth, &point.m_area, &point.m_pressure}) number(*x);
        patch.m_points.push_back(point);
    }
}

bool fits(const SavedRole& saved, const TouchRole& role) {
    const int points = role.query->placed().shell().pointCount();
    return saved.shellIsA == role.shellIsA && saved.points == points &&
           (saved.bristles.empty() || saved.bristles.back().point < points) &&
           (saved.given.empty() || saved.given.back().point < points);
}

}  // namespace

void putTouch(const ContactPair& pair, StateWriter& out) {
    const std::size_t roles = pair.touch ? pair.touch->roles.size() : 0;
    out.put(static_cast<std::uint64_t>(roles));
    for (std::size_t i = 0; i < roles; ++i) putRole(pair.touch->roles[i], out);
    if (roles > 0) putPatch(*pair.touch, out);
}

void getTouch(StateReader& in, SavedTouch& saved) {
    constexpr std::size_t mostRoles = 2;
    const std::size_t count = in.getCount(mostRoles);
    for (std::size_t i = 0; i < count && in.ok(); ++i) {
        saved.roles.emplace_back();
        getRole(in, saved.roles.back());
    }
    if (count > 0) getPatch(in, saved);
}

void applyTouch(const SavedTouch& saved, ContactPair& pair) {
    updateTouch(pair);
    if (!pair.touch || pair.touch->roles.size() != saved.roles.size()) return;
    bool isSame = true;
    for (std::size_t i = 0; i < saved.roles.size(); ++i) {
        const SavedRole& from = saved.roles[i];
        TouchRole& role = pair.touch->roles[i];
        if (!fits(from, role) || !role.query->setState(from.query)) {
            isSame = false;
            continue;
        }
        rememberShape(*pair.shape, role);
        role.bristles = from.bristles;
        role.given = from.given;
        const auto& q = from.fieldCoordinates;
        role.fieldCoordinates = Eigen::Map<const pliant::VectorX>(q.data(), static_cast<Eigen::Index>(q.size()));
    }
    if (!isSame) return;
    pair.touch->patch = saved.patch;
    pair.touch->otherTorque = saved.otherTorque;
}

}  // namespace btPliantInternal
