// SPDX-License-Identifier: Zlib
// The table of [B07 3.1] on generated tori: one frame of distributed contact in microseconds of thread CPU time and of
// wall time (docs/contact-figures.md). Writes a table in the columns of results/README.md.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "FrameTimes.h"
#include "PointTree.h"
#include "pliant/field/MakeDistanceField.h"
#include "pliant/reduce/Reduce.h"
#include "pliant/touch/ConvexElement.h"
#include "pliant/touch/DeformedField.h"
#include "pliant/touch/DistributedQuery.h"
#include "pliant/touch/LatticeBasis.h"
#include "unit/touch/TouchSurfaces.h"

namespace {

using namespace pliant;
using pliant::benchmarks::Clock;
using pliant::benchmarks::Times;

constexpr double kStep = 1e-3;  // s
constexpr int kFrames = 400;

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
    /// The median of frames out of all that are measured: what bends and passes touches by more in some of them.
    double usualContacts(double apart) {
        constexpr int every = 20;
        Times none;
        std::vector<double> counts;
        for (int i = 0; i < kFrames; i += every) {
            m_query.reset();
            frame(i, apart, none, none);
            counts.push_back(static_cast<double>(found.size()));
        }
        return Times::median(counts);
    }
    /// A distance of the tori with about as many contacts as the thesis had.
    double distanceFor(int contacts) {
        double near = 0.10, far = 0.14;
        for (int i = 0; i < 14; ++i) {
            const double middle = 0.5 * (near + far);
            (usualContacts(middle) > contacts ? far : near) = middle;
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
        char conditions[200];
        std::snprintf(conditions, sizeof conditions,
                      "all frames; a tree of points after [JP04] without coherence; %.0f nodes visited; %.0f contacts, "
                      "%d in those of the other lines",
                      nodes, touching, contacts);
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

/// Newton's method for the velocities of both bodies, with the rows of the contacts that a query has found: of the
/// shell's frame, and of the modes of what bends.
class ElementOfContacts {
public:
    ElementOfContacts(const Pair& pair, const Case& what, const Body& a, const Body& b)
        : m_pair(pair), m_case(what), m_a(a), m_b(b) {}

    void solve(int number, double apart, Times& making, Times& solving) {
        const int size = m_pair.unknowns();
        const Clock start;
        DistributedLaw law;
        law.stiffness = 1e8;
        m_element.start(size, law, kStep);
        const RigidTransform fieldFromMesh = linked(number, apart);
        for (const DistributedPoint& found : m_pair.found) add(found, fieldFromMesh);
        making.add(start);
        const Clock middle;
        VectorX target = VectorX::Zero(size);  // the speed that the shell comes by with
        target[2] = 0.1 * std::sqrt(m_a.model->totalMass());
        m_element.solve(target.data());
        solving.add(middle);
        iterations.push_back(m_element.iterations());
    }
    std::vector<double> iterations;  ///< Newton steps of each frame.

private:
    void add(const DistributedPoint& found, const RigidTransform& fieldFromMesh) {
        ConvexElementPoint point;
        const double size = found.area.norm();
        point.area = size;
        point.depth = point.freeDepth = -found.distance;
        const Vector3 normal = found.area / size, arm = found.place - fieldFromMesh.translation;
        m_row.resize(m_pair.unknowns());
        const double root = std::sqrt(1.0 / m_a.model->totalMass());
        m_row.head<3>() = root * normal;
        m_row.segment<3>(3) = root / kShellTorus.radius * arm.cross(normal);
        int first = 6;
        // sqrt(1/2): half of both velocities of a mode, in its whitened metric.
        if (m_case.shellBends) {
            const DistributedShell& shell = m_pair.query().placed().shell();
            const Vector3 along = std::sqrt(0.5) * (fieldFromMesh.rotation.transpose() * normal);
            m_basisA.along(m_a.model->contactSurface.lattice,
                           {shell.cells()[static_cast<std::size_t>(shell.cellOf(found.point))].latticeCell,
                            shell.placeInCell(found.point)},
                           &along, 1, m_row.data() + first);
            first += 15;
        }
        if (m_case.fieldBends) {
            const Vector3 along = -std::sqrt(0.5) * normal;
            const ContactLattice& lattice = m_b.model->contactSurface.lattice;
            m_basisB.along(lattice, latticePointAt(lattice, found.place), &along, 1, m_row.data() + first);
        }
        m_element.add(point, m_row.data(), nullptr, nullptr);
    }

    const Pair& m_pair;
    const Case& m_case;
    const Body &m_a, &m_b;
    LatticeCellBasis m_basisA, m_basisB;
    ConvexElement m_element;
    VectorX m_row;
};

/// Frames with about as many contacts as are asked for.
std::vector<bool> nearTo(int contacts, const std::vector<double>& counts) {
    std::vector<bool> usual;
    for (const double count : counts) usual.push_back(count > 0.8 * contacts && count < 1.25 * contacts);
    return usual;
}

double meanOf(const std::vector<double>& all, const std::vector<bool>& which) {
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (which[i]) sum += all[i], ++count;
    return count > 0 ? sum / count : 0;
}

void measure(const Case& what, Body& a, Body& b, const DistanceField& rest, const SurfaceMesh& surface) {
    Pair pair(what, a, b, rest, surface);
    const double apart = pair.distanceFor(what.contacts);
    Times bending, finding, making, solving;
    ElementOfContacts element(pair, what, a, b);
    std::vector<double> counts, looked;
    for (int i = 0; i < kFrames; ++i) {
        pair.frame(i, apart, bending, finding);
        element.solve(i, apart, making, solving);
        counts.push_back(static_cast<double>(pair.found.size()));
        looked.push_back(static_cast<double>(pair.query().counts().points));
    }
    const std::vector<bool> usual = nearTo(what.contacts, counts);
    for (Times* times : {&bending, &finding, &making, &solving}) times->keep(usual);
    const double contacts = meanOf(counts, usual), points = meanOf(looked, usual);
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
    char forgets[100];
    std::snprintf(forgets, sizeof forgets, "all frames; nothing is known of the frame before; %.0f points looked at",
                  forgetfulPoints);
    tell(what.name, r, "query without coherence;", forgetful, forgets);
    char newton[40];
    std::snprintf(newton, sizeof newton, "; %.2f Newton steps", meanOf(element.iterations, usual));
    tell(what.name, r, "rows;", making, conditions);
    tell(what.name, r, "element;", solving, conditions + std::string(newton));
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
