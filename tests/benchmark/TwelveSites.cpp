// SPDX-License-Identifier: Zlib
// A frame of distributed contact at twelve sites at once, as in [B07 figure 3.1], whose bridge and dinosaur are not
// ours to ship: a ring that twelve rings are strung on, of as many triangles, pressed into all of them and turned.
// Microseconds of thread CPU time, and what is looked at (docs/contact-figures.md). Writes a table in the columns of
// results/README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

#include "FrameTimes.h"
#include "PointTree.h"
#include "pliant/field/MakeDistanceField.h"
#include "pliant/touch/DistributedQuery.h"
#include "unit/touch/TouchSurfaces.h"

namespace {

using namespace pliant;
using pliant::benchmarks::Clock;
using pliant::benchmarks::Times;

constexpr int kSites = 12, kContacts = 426, kFrames = 400, kPoints = 200000, kLevels = 5;
constexpr double kRing = 0.1, kTube = 0.02;               // m, of the ring that moves
constexpr double kStrungRing = 0.04, kStrungTube = 5e-3;  // m, of those that are strung on it, with 15 mm of room
constexpr double kStep = 1e-3, kSpin = 1.0;               // s, rad/s
constexpr int kAround = 244, kStrungAround = 68;          // quads: 59,536 and 12 times 4,624 triangles

/// Rings around the tube of the large one, evenly along it.
SurfaceMesh strungRings() {
    const SurfaceMesh one = test::torusSurface(kStrungRing, kStrungTube, kStrungAround);
    const Eigen::Index points = one.positions.cols(), triangles = one.triangles.cols();
    SurfaceMesh all;
    all.positions.resize(3, kSites * points);
    all.triangles.resize(3, kSites * triangles);
    for (int site = 0; site < kSites; ++site) {
        const double angle = 2 * M_PI * site / kSites;
        // Its axis, z, lies along the large ring there.
        const RigidTransform upright = test::turned(Vector3::UnitX(), -M_PI / 2, Vector3(kRing, 0, 0));
        const RigidTransform around = test::turned(Vector3::UnitZ(), angle, Vector3::Zero());
        for (Eigen::Index i = 0; i < points; ++i)
            all.positions.col(site * points + i) = around.point(upright.point(one.positions.col(i)));
        all.triangles.middleCols(site * triangles, triangles) = one.triangles.array() + static_cast<int>(site * points);
    }
    return all;
}

class Rings {
public:
    explicit Rings(const DistanceField& sampled)
        : m_field(sampled),
          m_shell(std::make_shared<DistributedShell>(
              sampleShell(test::torusSurface(kRing, kTube, kAround), {}, kPoints, nullptr), kLevels, nullptr)),
          m_query(m_shell, nullptr),
          m_tree(*m_shell) {}

    /// @param down way by which the ring is pressed down, m
    void place(int frame, double down) {
        m_query.placed().place({test::turned(Vector3::UnitZ(), kStep * kSpin * frame, Vector3(0, 0, -down)), nullptr});
    }
    void find() {
        DistributedQueryOptions options;
        options.step = kStep;
        found.clear();
        m_query.find(m_field, options, found);
    }
    /// The median of contacts over frames out of all that are measured.
    double usualContacts(double down) {
        std::vector<double> counts;
        for (int i = 0; i < kFrames; i += kFrames / 20) {
            m_query.reset();
            place(i, down);
            find();
            counts.push_back(static_cast<double>(found.size()));
        }
        return Times::median(counts);
    }
    /// The way down at which as many points touch as in the thesis.
    double wayFor(int contacts) {
        double high = 14.8e-3, low = 17e-3;
        for (int i = 0; i < 16; ++i) {
            const double middle = 0.5 * (high + low);
            (usualContacts(middle) > contacts ? low : high) = middle;
        }
        m_query.reset();
        return low;
    }
    /// In how many places points touch.
    int sites() const {
        std::array<bool, kSites> touches{};
        for (const DistributedPoint& point : found) {
            const double turn = std::atan2(point.place.y(), point.place.x()) / (2 * M_PI) * kSites;
            touches[static_cast<std::size_t>((static_cast<int>(std::lround(turn)) + kSites) % kSites)] = true;
        }
        return static_cast<int>(std::count(touches.begin(), touches.end(), true));
    }
    /// @return nodes visited
    int traverse() {
        m_tree.find(m_field, m_query.placed(), VectorX());
        return m_tree.visited();
    }
    DistributedQuery& query() { return m_query; }
    int points() const { return m_shell->pointCount(); }
    std::vector<DistributedPoint> found;

private:
    RigidField m_field;
    std::shared_ptr<const DistributedShell> m_shell;
    DistributedQuery m_query;
    test::PointTree m_tree;
};

void tell(const char* quantity, double value, const std::string& conditions) {
    std::printf("\"twelve rings on a ring\",1,0,1,%s,us,%.4g,%.4g,,,\"%s\"\n", quantity, value, value,
                conditions.c_str());
}

}  // namespace

int main() {
    std::printf("case,bodies,r,workers,quantity,unit,low,high,commit,recorded,conditions\n");
    DistanceFieldOptions options;
    options.resolution = 256;
    options.outsideBand = 3;
    options.insideBand = 8;
    const DistanceField field = makeDistanceField(strungRings(), options);
    Rings rings(field);
    const double down = rings.wayFor(kContacts);
    Times placing, finding, forgetful, traversal;
    double contacts = 0, looked = 0, lookedAnew = 0, nodes = 0;
    int fewest = kSites;
    for (const bool isCoherent : {true, false})
        for (int i = 0; i < kFrames; ++i) {
            const Clock start;
            rings.place(i, down);
            if (isCoherent) placing.add(start);
            if (!isCoherent) rings.query().reset();
            const Clock middle;
            rings.find();
            (isCoherent ? finding : forgetful).add(middle);
            (isCoherent ? looked : lookedAnew) += static_cast<double>(rings.query().counts().points) / kFrames;
            if (isCoherent) continue;
            contacts += static_cast<double>(rings.found.size()) / kFrames;
            fewest = std::min(fewest, rings.sites());
            const Clock last;
            nodes += rings.traverse() / static_cast<double>(kFrames);
            traversal.add(last);
        }
    char of[120];
    std::snprintf(of, sizeof of, "%d points; %.0f contacts at %d sites in each frame; ", rings.points(), contacts,
                  fewest);
    const auto looks = [&of](double points, const char* what) {
        return of + std::to_string(static_cast<int>(points + 0.5)) + " " + what;
    };
    tell("places; thread CPU", Times::median(placing.cpu), of);
    tell("query; thread CPU", Times::median(finding.cpu), looks(looked, "points looked at"));
    tell("query without coherence; thread CPU", Times::median(forgetful.cpu), looks(lookedAnew, "points looked at"));
    tell("tree of points; thread CPU", Times::median(traversal.cpu), looks(nodes, "nodes visited"));
    return 0;
}
