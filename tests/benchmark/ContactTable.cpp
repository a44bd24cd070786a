// SPDX-License-Identifier: Zlib
// The table of [B07 3.1] on generated tori: one frame of distributed contact in microseconds of thread CPU time and of
// wall time (docs/contact-figures.md). Writes a table in the columns of results/README.md.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "PointTree.h"
#include "pliant/field/MakeDistanceField.h"
#include "pliant/reduce/Reduce.h"
#include "pliant/touch/ConvexElement.h"
#include "pliant/touch/DeformedField.h"
#include "pliant/touch/DistributedQuery.h"
#include "unit/touch/TouchSurfaces.h"

namespace {

using namespace pliant;

constexpr double kStep = 1e-3;  // s
constexpr int kFrames = 400;

struct Clock {
    static double now(clockid_t id) {
        timespec t{};
        clock_gettime(id, &t);
        return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
    }
    double cpu = now(CLOCK_THREAD_CPUTIME_ID), process = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
};

/// Microseconds of many frames.
struct Times {
    std::vector<double> cpu, wall;
    void add(const Clock& from) {
        const Clock now;
        cpu.push_back(now.cpu - from.cpu);
        wall.push_back(now.wall - from.wall);
    }
    static double median(std::vector<double> all) {
        std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
        return all[all.size() / 2];
    }
};

void tell(const std::string& name, int r, const char* quantity, const char* unit, double value,
          const std::string& conditions) {
    std::printf("\"%s\",1,%d,1,%s,%s,%.4g,%.4g,,,\"%s\"\n", name.c_str(), r, quantity, unit, value, value,
                conditions.c_str());
    std::fflush(stdout);
}

void tell(const std::string& name, int r, const std::string& part, const Times& times, const std::string& conditions) {
    tell(name, r, (part + " thread CPU").c_str(), "us", Times::median(times.cpu), conditions);
    tell(name, r, (part + " wall").c_str(), "us", Times::median(times.wall), conditions);
}

struct Torus {
    double radius, tube;
    int around;
    SurfaceMesh mesh() const { return test::torusSurface(radius, tube, around); }
};
const Torus kShellTorus{0.1, 0.03, 96}, kFieldTorus{0.08, 0.025, 96};

std::shared_ptr<const ReducedModel> reducedTorus(const Torus& torus) {
    const std::string file =
        (std::filesystem::temp_directory_path() / ("torus_" + std::to_string(::getpid()) + ".obj")).string();
    {
        const SurfaceMesh mesh = torus.mesh();
        std::ofstream out(file);
        for (const auto& p : mesh.positions.colwise()) out << "v " << p.transpose() << '\n';
        for (const auto& t : mesh.triangles.colwise()) out << "f " << (t.array() + 1).matrix().transpose() << '\n';
    }
    ReduceOptions options;
    options.modes = 9;
    options.dimension = 15;
    options.voxels = 20;
    options.solid = true;
    options.youngsModulus = 1e6;
    auto model = reduceFile(file, options);
    std::filesystem::remove(file);
    return model;
}

/// A torus that is rigid, or bends.
struct Body {
    explicit Body(std::shared_ptr<const ReducedModel> reduced)
        : model(std::move(reduced)),
          collision(std::make_shared<CollisionModel>(model)),
          body(collision),
          field(std::make_shared<SurfaceModel>(collision)),
          q(VectorX::Zero(model->dimension())) {
        move(0);
    }
    /// Bends by a centimetre at most.
    void move(int frame) {
        const VectorX last = q;
        const double gain = collision->largestGain();
        q[0] = 0.005 / gain * std::sin(0.01 * frame);
        q[1] = 0.005 / gain * std::cos(0.013 * frame);
        motion = gain * (q - last).norm();
        RigidTransform worldFromBody;
        worldFromBody.rotation = model->meshFromBody.rotation;
        worldFromBody.translation = model->meshFromBody.translation;
        body.update(q.data(), worldFromBody);  // so that the mesh frame is the world
        field.update(body, q.data());
        field.updateBounds();
    }
    std::shared_ptr<const ReducedModel> model;
    std::shared_ptr<const CollisionModel> collision;
    DeformedBody body;
    DeformedField field;
    VectorX q;
    double motion = 0.0;
};

/// Two linked tori that touch, and move past each other by 0.1 m/s. @param apart m: where they begin to touch: 0.125
RigidTransform linked(int frame, double apart) {
    const double t = kStep * (frame % 2000);
    return test::turned(Vector3::UnitX(), M_PI / 2, Vector3(apart + 2e-5 * std::sin(20 * t), 0, 0.1 * t));
}

struct Case {
    std::string name;
    int points, levels;
    int contacts;  ///< in the thesis
    bool shellBends, fieldBends;
    double thesis, target;  ///< us
};

struct Pair {
    Pair(const Case& what, Body& a, Body& b, const DistanceField& rest, const SurfaceMesh& surface)
        : m_case(what),
          m_a(a),
          m_b(b),
          m_rigid(rest),
          m_lattice(what.shellBends ? &a.model->contactSurface.lattice : nullptr),
          m_query(std::make_shared<DistributedShell>(what.shellBends
                                                         ? sampleShell(a.model->surface, a.model->meshFromBody,
                                                                       what.points, &a.model->contactSurface.field)
                                                         : sampleShell(surface, {}, what.points, nullptr),
                                                     what.levels, m_lattice),
                  m_lattice) {}

    /// A frame; what it took by parts. @param coherent whether the query knows of the frame before
    void frame(int number, double apart, Times& bending, Times& finding, bool coherent = true) {
        place(number, apart, bending);
        if (!coherent) m_query.reset();
        const Clock middle;
        DistributedQueryOptions options;
        options.step = kStep;
        options.fieldMotion = m_case.fieldBends ? m_b.motion : 0.0;
        found.clear();
        if (m_case.fieldBends)
            m_query.find(BentField(m_b.field, m_b.body), options, found);
        else
            m_query.find(m_rigid, options, found);
        finding.add(middle);
    }
    /// All points of the finest level, one after the other. us
    double everyPoint() {
        const Clock start;
        found.clear();
        if (m_case.fieldBends)
            m_query.findAll(BentField(m_b.field, m_b.body), m_case.levels - 1, 0.0, found);
        else
            m_query.findAll(m_rigid, m_case.levels - 1, 0.0, found);
        return Clock().cpu - start.cpu;
    }
    /// A distance of the tori with about as many contacts as the thesis had.
    double distanceFor(int contacts) {
        double near = 0.11, far = 0.14;
        for (int i = 0; i < 14; ++i) {
            const double middle = 0.5 * (near + far);
            m_query.reset();
            Times none;
            frame(0, middle, none, none);
            (static_cast<int>(found.size()) > contacts ? near : far) = middle;
        }
        m_query.reset();
        return far;
    }
    /// The frames again with a tree of points, which looks at them without coherence.
    void measureTree(double apart, int contacts) {
        test::PointTree tree(m_query.placed().shell(), m_lattice);
        Times placing, traversal;
        double nodes = 0, touching = 0;
        for (int i = 0; i < kFrames; ++i) {
            place(i, apart, placing);
            const BentField bent(m_b.field, m_b.body);
            const TouchField& field = m_case.fieldBends ? static_cast<const TouchField&>(bent) : m_rigid;
            const Clock start;
            const int inside = tree.find(field, m_query.placed(), m_a.q);
            traversal.add(start);
            touching += inside / double(kFrames);
            nodes += tree.visited() / double(kFrames);
        }
        char conditions[160];
        std::snprintf(conditions, sizeof conditions,
                      "a tree of points after [JP04] without coherence; %.0f nodes visited; %.0f contacts of %d", nodes,
                      touching, contacts);
        tell(m_case.name, unknowns() - 6, "tree of points;", traversal, conditions);
    }
    /// Of both bodies, with a frame of one.
    int unknowns() const { return 6 + (m_case.shellBends ? 15 : 0) + (m_case.fieldBends ? 15 : 0); }
    const DistributedQuery& query() const { return m_query; }
    std::vector<DistributedPoint> found;

private:
    void place(int number, double apart, Times& bending) {
        const Clock start;
        if (m_case.shellBends) m_a.move(number);
        if (m_case.fieldBends) m_b.move(number);
        m_query.placed().place({linked(number, apart), m_case.shellBends ? m_a.field.latticeDisplacements() : nullptr});
        bending.add(start);
    }

    const Case& m_case;
    Body &m_a, &m_b;
    RigidField m_rigid;
    const ContactLattice* m_lattice;
    DistributedQuery m_query;
};

/// Newton's method for the velocities of both bodies, with rows of chance. @param iterations of the last solve
Times element(int points, int size, int& iterations) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    const MatrixX rows = MatrixX::NullaryExpr(size, std::max(1, points), [&] { return normal(random); });
    const VectorX target = VectorX::NullaryExpr(size, [&] { return normal(random); });
    DistributedLaw law;
    law.stiffness = 1e8;
    ConvexElement element;
    Times times;
    for (int i = 0; i < 100; ++i) {
        const Clock start;
        element.start(size, law, kStep);
        for (int k = 0; k < points; ++k) {
            ConvexElementPoint point;
            point.area = 1e-6;
            point.depth = point.freeDepth = 1e-4;
            element.add(point, rows.col(k).data(), nullptr, nullptr);
        }
        element.solve(target.data());
        times.add(start);
        iterations = element.iterations();
    }
    return times;
}

void measure(const Case& what, Body& a, Body& b, const DistanceField& rest, const SurfaceMesh& surface) {
    Pair pair(what, a, b, rest, surface);
    const double apart = pair.distanceFor(what.contacts);
    Times bending, finding;
    double contacts = 0, points = 0;
    for (int i = 0; i < kFrames; ++i) {
        pair.frame(i, apart, bending, finding);
        contacts += static_cast<double>(pair.found.size()) / kFrames;
        points += static_cast<double>(pair.query().counts().points) / kFrames;
    }
    Times again, forgetful;
    double forgetfulPoints = 0;
    for (int i = 0; i < kFrames; ++i) {
        pair.frame(i, apart, again, forgetful, false);
        forgetfulPoints += static_cast<double>(pair.query().counts().points) / kFrames;
    }
    const int r = pair.unknowns() - 6;
    char conditions[200];
    std::snprintf(conditions, sizeof conditions,
                  "%d points; %.0f contacts; %.0f points looked at; thesis %.0f us; to reach %.0f us",
                  pair.query().placed().shell().pointCount(), contacts, points, what.thesis, what.target);
    tell(what.name, r, "deformation and places;", bending, conditions);
    tell(what.name, r, "query;", finding, conditions);
    char forgets[80];
    std::snprintf(forgets, sizeof forgets, "nothing is known of the frame before; %.0f points looked at",
                  forgetfulPoints);
    tell(what.name, r, "query without coherence;", forgetful, forgets);
    int iterations = 0;
    const Times solving = element(static_cast<int>(contacts), 6 + r, iterations);
    tell(what.name, r, "element;", solving, conditions + std::string("; Newton steps: ") + std::to_string(iterations));
    tell(what.name, r, "every point looked at; thread CPU", "us", pair.everyPoint(), conditions);
    pair.measureTree(apart, static_cast<int>(contacts + 0.5));
}

/// Points and fields of the torus: CPU seconds of all threads, and megabytes.
void measureMaking() {
    const SurfaceMesh surface = Torus{0.1, 0.03, 256}.mesh();
    const std::string conditions = std::to_string(surface.triangleCount()) + " triangles; CPU time of all threads";
    Clock start;
    const DistributedShell shell(sampleShell(surface, {}, 256000, nullptr), 5, nullptr);
    tell("making 256 K points in 5 levels", 0, "process CPU", "s", 1e-6 * (Clock().process - start.process),
         conditions);
    for (const int resolution : {256, 512}) {
        DistanceFieldOptions options;
        options.resolution = resolution;
        options.outsideBand = 3;
        options.insideBand = 8;
        options.memory = std::size_t(256) << 20;
        start = Clock();
        const DistanceField field = makeDistanceField(surface, options);
        const std::string name = "making a field of " + std::to_string(resolution);
        tell(name, 0, "process CPU", "s", 1e-6 * (Clock().process - start.process), conditions);
        tell(name, 0, "size", "MB",
             1e-6 * static_cast<double>(2 * field.samples.size() + 4 * field.brickSamples.size() +
                                        4 * static_cast<std::size_t>(field.corners.size())),
             conditions);
    }
}

}  // namespace

/// @param arguments part of a case's name: that case alone, and not what is made offline
int main(int count, char** arguments) {
    const std::string only = count > 1 ? arguments[1] : "";
    std::printf("case,bodies,r,workers,quantity,unit,low,high,commit,recorded,conditions\n");
    if (only.empty()) measureMaking();
    Body a(reducedTorus(kShellTorus)), b(reducedTorus(kFieldTorus));
    DistanceFieldOptions options;
    options.resolution = 256;
    const DistanceField rest = makeDistanceField(kFieldTorus.mesh(), options);
    const SurfaceMesh surface = kShellTorus.mesh();
    for (const Case& what : {Case{"rigid, 1.02 M points", 1020000, 6, 820, false, false, 870, 200},
                             Case{"bent shell, 80 K points", 80000, 4, 50, true, false, 260, 60},
                             Case{"bent shell, 256 K points", 256000, 5, 650, true, false, 750, 130},
                             Case{"both bent, 256 K points", 256000, 5, 40, true, true, 840, 300}})
        if (what.name.find(only) != std::string::npos) measure(what, a, b, rest, surface);
    return 0;
}
