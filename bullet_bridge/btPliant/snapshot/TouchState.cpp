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
}

void getTouch(StateReader& in, std::vector<SavedRole>& roles) {
    constexpr std::size_t mostRoles = 2;
    const std::size_t count = in.getCount(mostRoles);
    for (std::size_t i = 0; i < count && in.ok(); ++i) {
        roles.emplace_back();
        getRole(in, roles.back());
    }
}

void applyTouch(const std::vector<SavedRole>& saved, ContactPair& pair) {
    updateTouch(pair);
    if (!pair.touch || pair.touch->roles.size() != saved.size()) return;
    for (std::size_t i = 0; i < saved.size(); ++i) {
        TouchRole& role = pair.touch->roles[i];
        if (!fits(saved[i], role) || !role.query->setState(saved[i].query)) continue;
        rememberShape(*pair.shape, role);
        role.bristles = saved[i].bristles;
        role.given = saved[i].given;
        const auto& q = saved[i].fieldCoordinates;
        role.fieldCoordinates = Eigen::Map<const pliant::VectorX>(q.data(), static_cast<Eigen::Index>(q.size()));
    }
}

}  // namespace btPliantInternal
