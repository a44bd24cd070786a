// SPDX-License-Identifier: Zlib
// Forces in the field of a bent body: no jumps, and no work on closed paths.
//
// A bent field is g d, with d the distance where a place X rests and g the change of length along its normal n,
// 1 / |F^-T n|. From one frame to the next it changes by no more than g L |X - X'| + |d| |g - g'|: L is the Lipschitz
// number of the field at rest, and F, which a lattice interpolates, is another one on both sides of a cell's face.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "BentSolid.h"
#include "TouchSurfaces.h"
#include "pliant/touch/LatticeMap.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

/// A bar of 0.3 m whose ends are bent up by some centimetres, the same way each time.
class BentBar {
public:
    BentBar() : m_solid(bar()) {
        const double gain = m_solid.collision->largestGain();
        VectorX q = VectorX::Zero(bar()->dimension());
        q[0] = 0.03 / gain;
        q[1] = -0.02 / gain;
        RigidTransform pose;
        pose.rotation = bar()->meshFromBody.rotation;
        pose.translation = bar()->meshFromBody.translation;
        m_solid.move(q, pose);  // so that the mesh frame is the world
    }
    BentField field() const { return BentField(m_solid.field, m_solid.body); }
    double lipschitz() const { return m_solid.surface->surface().field.lipschitz; }
    const ContactLattice& lattice() const { return m_solid.surface->surface().lattice; }

    struct Place {
        Vector3 rest = Vector3::Zero();
        double distance = 0.0;             ///< g d, m
        double least = 1e30, most = -1.0;  ///< of g, wherever its F may be of
    };
    /// F is that of the place before the last step of Newton's method, which is shorter than 1e-3 of a cell: beside a
    /// face it may be of the other side.
    Place at(const Vector3& x) const {
        const FieldSample sample = m_solid.field.sample(m_solid.body, x);
        Place place;
        place.rest = sample.rest;
        place.distance = sample.distance;
        for (int corner = 0; corner < 8; ++corner) {
            const Vector3 side(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
            Packed3 u;
            DeformationGradient F;
            carry(lattice(), m_solid.field.latticeDisplacements(), sample.rest + 1e-3 * lattice().spacing * side, u, F);
            Matrix3 gradient;
            for (int k = 0; k < 3; ++k) gradient.col(k) = unpacked(F.column[k]);
            const double length = 1.0 / (gradient.inverse().transpose() * sample.outward).norm();
            place.least = std::min(place.least, length);
            place.most = std::max(place.most, length);
        }
        return place;
    }

private:
    static const std::shared_ptr<const ReducedModel>& bar() {
        static const auto model = solidBox({0.3, 0.1, 0.1}, SolidMaterial(), 0.05);
        return model;
    }
    BentSolid m_solid;
};

DistributedQuery dippingTorus(int points) {
    const ShellSamples samples = sampleShell(torusSurface(0.06, 0.02, 16), {}, points, nullptr);
    return {std::make_shared<DistributedShell>(samples, 1, nullptr), nullptr};
}

std::map<int, DistributedPoint> touchedBy(DistributedQuery& query, const BentField& field) {
    std::vector<DistributedPoint> found;
    query.find(field, {}, found);
    std::map<int, DistributedPoint> touched;
    for (const DistributedPoint& point : found)
        if (point.distance < 0.0) touched[point.point] = point;
    return touched;
}

struct ForceChange {
    double share = 0.0;       ///< of what the sum of forces may change by
    double pointShare = 0.0;  ///< the same of a single point, the largest
    double jumps = 0.0;       ///< what the second term is of all that the forces may change by
    int entered = 0;          ///< points that have begun or ceased to touch
};

/// From one frame to the next, of forces with a stiffness of 1 Pa/m.
ForceChange changeOf(const BentBar& bar, const DistributedQuery& query, const std::map<int, DistributedPoint>& before,
                     const std::map<int, DistributedPoint>& now) {
    // Newton's method ends within 1e-5 of a cell of where a place rests.
    const double rounding = 2e-5 * bar.lattice().spacing * bar.lipschitz();
    std::map<int, Vector3> touched;  // area vectors, which do not turn
    for (const auto* frame : {&before, &now})
        for (const auto& [number, point] : *frame) touched[number] = point.area;
    Vector3 sum = Vector3::Zero();
    double most = 0.0, ofJumps = 0.0;
    ForceChange change;
    for (const auto& [number, area] : touched) {
        const BentBar::Place from = bar.at(query.placed().lastPoint(number)), to = bar.at(query.placed().point(number));
        const auto depth = [n = number](const std::map<int, DistributedPoint>& frame) {
            const auto found = frame.find(n);
            return found == frame.end() ? 0.0 : -found->second.distance;
        };
        const double least = std::min(from.least, to.least), greatest = std::max(from.most, to.most);
        const double jump = std::abs(from.distance) * (greatest / least - 1.0);
        const double may = greatest * bar.lipschitz() * (to.rest - from.rest).norm() + jump + rounding;
        change.pointShare = std::max(change.pointShare, std::abs(depth(now) - depth(before)) / may);
        change.entered += before.count(number) != now.count(number) ? 1 : 0;
        sum += (depth(now) - depth(before)) * area;
        most += may * area.norm();
        ofJumps += jump * area.norm();
    }
    change.share = most > 0.0 ? sum.norm() / most : 0.0;
    change.jumps = most > 0.0 ? ofJumps / most : 0.0;
    return change;
}

TEST(BentFieldForce, HasALipschitzNumber) {
    const BentBar bar;
    const BentField field = bar.field();
    for (const int points : {2000, 8000, 32000})
        for (const double step : {1e-6, 1e-5, 1e-4}) {
            DistributedQuery query = dippingTorus(points);
            const auto pose = [&](int frame) {
                const Vector3 way = frame * step * Vector3(0.5, 0.1, -1.0).normalized();
                return turned(Vector3(1, 0.3, 0.2), 0.3, Vector3(0.01, 0.0, 0.071) + way);
            };
            query.placed().place({pose(0)});
            std::map<int, DistributedPoint> before = touchedBy(query, field);
            ForceChange most;
            for (int frame = 1; frame < 60; ++frame) {
                query.placed().place({pose(frame)});
                std::map<int, DistributedPoint> now = touchedBy(query, field);
                const ForceChange change = changeOf(bar, query, before, now);
                most.share = std::max(most.share, change.share);
                most.pointShare = std::max(most.pointShare, change.pointShare);
                most.jumps = std::max(most.jumps, change.jumps);
                most.entered += change.entered;
                before.swap(now);
            }
            EXPECT_LE(most.share, 1.0) << points << ", " << step;
            EXPECT_LE(most.pointShare, 1.0) << points << ", " << step;
            EXPECT_LT(most.jumps, 0.25) << "what cells' faces add is little beside the way";
            if (step < 1e-5) continue;
            EXPECT_GT(most.share, 0.2) << "far from the bound it would not see a jump";
            EXPECT_GT(most.entered, points / 500) << "nothing begins to touch";
        }
}

/// The work of the forces on a torus that is carried round through the bar and back, of that of its parts.
double workOfRound(const BentField& field, int points, int round) {
    DistributedQuery query = dippingTorus(points);
    DistributedQueryOptions options;
    options.followsFastPoints = false;
    constexpr int kSteps = 300;
    double sum = 0.0, size = 0.0;
    for (int i = 0; i <= kSteps; ++i) {
        const double t = 2 * M_PI * i / kSteps;
        const Vector3 place(0.03 * std::cos(t) + 0.01 * round, 0.02 * std::sin(t), 0.078 + 0.012 * std::cos(2 * t));
        query.placed().place({turned(Vector3(1, 0.3 * round, 0.2), 0.2 + 0.3 * round, place)});
        std::vector<DistributedPoint> found;
        query.find(field, options, found);
        Vector3 force = Vector3::Zero();
        for (const DistributedPoint& p : found) force -= p.distance * p.area;
        if (i == 0) continue;  // the same place as the last one: equal steps are exact for smooth periodic functions
        const Vector3 velocity(-0.03 * std::sin(t), 0.02 * std::cos(t), -0.024 * std::sin(2 * t));
        sum += force.dot(velocity);
        size += std::abs(force.dot(velocity));
    }
    return sum / size;
}

/// Of y over x, by least squares.
template <std::size_t N>
double fittedSlope(const std::array<double, N>& x, const std::array<double, N>& y) {
    double meanX = 0.0, meanY = 0.0, above = 0.0, below = 0.0;
    for (std::size_t i = 0; i < N; ++i) {
        meanX += x[i] / N;
        meanY += y[i] / N;
    }
    for (std::size_t i = 0; i < N; ++i) {
        above += (x[i] - meanX) * (y[i] - meanY);
        below += (x[i] - meanX) * (x[i] - meanX);
    }
    return above / below;
}

// The limit is the gradient of a potential, the integral of |g d| over what both have in common, whatever g d is.
TEST(BentFieldForce, DoesNoWorkOnClosedPathsAsPointsBecomeMore) {
    const BentBar bar;
    const BentField field = bar.field();
    constexpr std::array<int, 4> counts{500, 2000, 8000, 32000};
    std::array<double, 4> spacing{}, work{};
    for (std::size_t n = 0; n < counts.size(); ++n) {
        double squares = 0.0;
        for (int round = 0; round < 3; ++round) squares += std::pow(workOfRound(field, counts[n], round), 2) / 3;
        spacing[n] = -0.5 * std::log(static_cast<double>(counts[n]));
        work[n] = 0.5 * std::log(squares);
        RecordProperty("work_" + std::to_string(counts[n]), std::to_string(std::sqrt(squares)));
    }
    EXPECT_GE(fittedSlope(spacing, work), 1.5);
    EXPECT_LT(std::exp(work.back()), 5e-5) << "2e-5 as measured";
}

}  // namespace
}  // namespace pliant::test
