// SPDX-License-Identifier: Zlib
// A frame of distributed contact of a hose that is straight, and bent by 25 degrees [B07 figure 3.12]: microseconds of
// thread CPU time at as many contacts (docs/contact-figures.md).
#include <unistd.h>

#include <Eigen/Geometry>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "FrameTimes.h"
#include "pliant/reduce/Reduce.h"
#include "pliant/touch/DeformedField.h"
#include "pliant/touch/DistributedQuery.h"
#include "pliant/touch/SampleShell.h"

namespace {

using namespace pliant;
using pliant::benchmarks::Clock;
using pliant::benchmarks::Times;

constexpr int kAround = 24, kRings = 121, kPoints = 80000, kLevels = 4, kContacts = 50, kFrames = 400;
constexpr double kLength = 0.6, kRadius = 0.02, kBall = 0.03, kStep = 1e-3;  // m, s

/// A closed cylinder along z in a file.
std::string hoseFile() {
    const std::string name =
        (std::filesystem::temp_directory_path() / ("hose_" + std::to_string(::getpid()) + ".obj")).string();
    std::ofstream out(name);
    for (int i = 0; i < kRings; ++i)
        for (int j = 0; j < kAround; ++j)
            out << "v " << kRadius * std::cos(2 * M_PI * j / kAround) << ' '
                << kRadius * std::sin(2 * M_PI * j / kAround) << ' ' << kLength * (i / (kRings - 1.0) - 0.5) << '\n';
    out << "v 0 0 " << -kLength / 2 << "\nv 0 0 " << kLength / 2 << '\n';
    for (int j = 0; j < kAround; ++j) {
        const int next = (j + 1) % kAround, last = (kRings - 1) * kAround, below = kRings * kAround + 1;
        for (int i = 0; i + 1 < kRings; ++i) {
            const int p = i * kAround + j + 1, q = i * kAround + next + 1;
            out << "f " << p << ' ' << q << ' ' << q + kAround << "\nf " << p << ' ' << q + kAround << ' '
                << p + kAround << '\n';
        }
        out << "f " << below << ' ' << next + 1 << ' ' << j + 1 << "\nf " << below + 1 << ' ' << last + j + 1 << ' '
            << last + next + 1 << '\n';
    }
    return name;
}

std::shared_ptr<const ReducedModel> reducedHose() {
    const std::string file = hoseFile();
    ReduceOptions options;
    options.modes = 9;
    options.dimension = 15;
    options.solid = true;
    options.youngsModulus = 1e6;
    auto model = reduceFile(file, options);
    std::filesystem::remove(file);
    return model;
}

class Hose {
public:
    explicit Hose(std::shared_ptr<const ReducedModel> reduced)
        : m_model(std::move(reduced)),
          m_collision(std::make_shared<CollisionModel>(m_model)),
          m_body(m_collision),
          m_field(std::make_shared<SurfaceModel>(m_collision)),
          m_query(std::make_shared<DistributedShell>(
                      sampleShell(m_model->surface, m_model->meshFromBody, kPoints, &m_model->contactSurface.field),
                      kLevels, &m_model->contactSurface.lattice),
                  &m_model->contactSurface.lattice) {
        Eigen::Index longest = 0;
        m_model->surface.positions.rowwise().norm().maxCoeff(&longest);
        m_axis = m_model->meshFromBody.rotation * Vector3::Unit(longest);
    }

    /// What bends the hose by an angle: its softest shape, whose ends turn in proportion. @param angle rad
    VectorX bent(double angle) {
        VectorX q = 1e-2 / m_collision->largestGain() * m_model->restEigenvectors.col(0);
        place(q, RigidTransform());
        Vector3 band[4] = {Vector3::Zero(), Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};
        int count[4] = {};
        m_found.clear();
        m_query.findAll(AnalyticField::sphere(10.0), kLevels - 1, 0.0, m_found);
        for (const DistributedPoint& point : m_found) {
            const double z = along(point) / kLength;
            const int at = z < -0.45 ? 0 : z < -0.4 ? 1 : z > 0.45 ? 3 : z > 0.4 ? 2 : -1;
            if (at < 0) continue;
            band[at] += point.place;
            ++count[at];
        }
        for (int k = 0; k < 4; ++k) band[k] /= count[k];
        const Vector3 low = (band[1] - band[0]).normalized(), high = (band[3] - band[2]).normalized();
        return angle / std::atan2(low.cross(high).norm(), low.dot(high)) * q;
    }
    /// Frames in which a ball slides to and fro on the hose's middle while it trembles. @param apart of its centre, m
    double frames(const VectorX& q, double apart, Times& places, Times& finding) {
        std::vector<double> counts;
        m_query.reset();
        DistributedQueryOptions options;
        options.step = kStep;
        for (int i = 0; i < kFrames; ++i) {
            VectorX now = q;
            now += 1e-4 / m_collision->largestGain() * std::sin(0.1 * i) * m_model->restEigenvectors.col(2);
            RigidTransform fromMesh;
            fromMesh.translation = -middle(q) - apart * m_axis.unitOrthogonal() - 2e-3 * std::sin(0.05 * i) * m_axis;
            const Clock start;
            place(now, fromMesh);
            places.add(start);
            const Clock second;
            m_found.clear();
            m_query.find(AnalyticField::sphere(kBall), options, m_found);
            finding.add(second);
            counts.push_back(static_cast<double>(m_found.size()));
        }
        return Times::median(counts);
    }
    double distanceFor(const VectorX& q) {
        double near = kBall, far = kBall + 1.5 * kRadius;
        for (int i = 0; i < 20; ++i) {
            Times none;
            const double apart = 0.5 * (near + far);
            (frames(q, apart, none, none) > kContacts ? near : far) = apart;
        }
        return far;
    }

private:
    /// Of a point, from the hose's middle along its axis at rest, which is the mesh frame's longest.
    double along(const DistributedPoint& point) const {
        return m_query.placed().shell().restPoint(point.point).dot(m_axis);
    }
    void place(const VectorX& q, const RigidTransform& fromMesh) {
        RigidTransform worldFromBody;
        worldFromBody.rotation = m_model->meshFromBody.rotation;
        worldFromBody.translation = m_model->meshFromBody.translation;
        m_body.update(q.data(), worldFromBody);
        m_field.update(m_body, q.data());
        m_query.placed().place({fromMesh, m_field.latticeDisplacements()});
    }
    /// Where the middle of its axis is: of all points at half of its length.
    Vector3 middle(const VectorX& q) {
        if (m_middleOf.size() == q.size() && q == m_middleOf) return m_middle;
        place(q, RigidTransform());
        m_found.clear();
        m_query.findAll(AnalyticField::sphere(10.0), kLevels - 1, 0.0, m_found);
        Vector3 sum = Vector3::Zero();
        int count = 0;
        for (const DistributedPoint& point : m_found)
            if (std::abs(along(point)) < 0.02 * kLength) {
                sum += point.place;
                ++count;
            }
        m_middleOf = q;
        m_query.reset();
        return m_middle = sum / count;
    }

    std::shared_ptr<const ReducedModel> m_model;
    std::shared_ptr<const CollisionModel> m_collision;
    DeformedBody m_body;
    DeformedField m_field;
    DistributedQuery m_query;
    std::vector<DistributedPoint> m_found;
    Vector3 m_axis;
    VectorX m_middleOf;
    Vector3 m_middle = Vector3::Zero();
};

}  // namespace

int main() {
    Hose hose(reducedHose());
    std::puts("case,bodies,r,workers,quantity,unit,low,high,commit,recorded,conditions");
    for (int round = 0; round < 3; ++round)
        for (const double degrees : {0.0, 25.0}) {
            const VectorX q = hose.bent(degrees * M_PI / 180.0);
            const double apart = hose.distanceFor(q);
            Times places, finding;
            const double contacts = hose.frames(q, apart, places, finding);
            const double both = Times::median(places.cpu) + Times::median(finding.cpu);
            std::printf(
                "\"hose bent by %.0f degrees\",1,15,1,places and query; thread CPU,us,%.4g,%.4g,,,\"%.0f "
                "contacts; places %.3g; query %.3g\"\n",
                degrees, both, both, contacts, Times::median(places.cpu), Times::median(finding.cpu));
        }
    return 0;
}
