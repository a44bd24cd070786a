// SPDX-License-Identifier: Zlib
// The alternatives of [B07 3.6.3 and 3.8.2] beside what is used: other shells, by the force of a torus in a sphere, and
// other normals of a bent torus (docs/contact-figures.md). Writes a table in the columns of results/README.md.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "FieldNormals.h"
#include "RepelledPoints.h"
#include "pliant/field/MakeDistanceField.h"
#include "pliant/touch/DistributedLaw.h"
#include "pliant/touch/TouchField.h"
#include "unit/touch/TouchSurfaces.h"

namespace {

using namespace pliant;

constexpr double kRing = 0.1, kTube = 0.03;  // m

/// Signed distance to the torus, and its gradient.
double torusDistance(const Vector3& p, Vector3& gradient) {
    const double out = std::hypot(p.x(), p.y());
    const Vector3 middle = kRing / out * Vector3(p.x(), p.y(), 0);
    gradient = (p - middle).normalized();
    return (p - middle).norm() - kTube;
}

/// Every point stands for the same share, as in [B07].
ShellSamples evenly(const std::vector<Vector3>& places) {
    ShellSamples samples;
    const double share = 4 * M_PI * M_PI * kRing * kTube / static_cast<double>(places.size());
    samples.positions.resize(3, static_cast<Eigen::Index>(places.size()));
    samples.areas.resize(3, samples.positions.cols());
    for (std::size_t i = 0; i < places.size(); ++i) {
        Vector3 normal;
        torusDistance(places[i], normal);
        samples.positions.col(static_cast<Eigen::Index>(i)) = places[i];
        samples.areas.col(static_cast<Eigen::Index>(i)) = -share * normal;
    }
    return samples;
}

ShellSamples piecesOfTriangles(int points) {
    return sampleShell(test::torusSurface(kRing, kTube, 512), {}, points, nullptr);
}

/// The level of the shell of 262,144 pieces that has about as many points.
ShellSamples levelOfShell(int points) {
    static const DistributedShell shell(piecesOfTriangles(1), 4, nullptr);
    int level = 0;
    while (2 * shell.pointCount(level) < points) ++level;
    ShellSamples samples;
    samples.positions.resize(3, shell.pointCount(level));
    samples.areas.resize(3, shell.pointCount(level));
    Eigen::Index n = 0;
    for (int i = 0; i < shell.pointCount(); ++i) {
        if (shell.levelOf(i) > level) continue;
        samples.positions.col(n) = shell.restPoint(i);
        samples.areas.col(n++) = shell.area(i, level);
    }
    return samples;
}

/// A third of the area of the triangles around it for each vertex.
ShellSamples meshVertices(int points) {
    const SurfaceMesh mesh =
        test::torusSurface(kRing, kTube, 2 * static_cast<int>(std::lround(std::sqrt(0.5 * points))));
    ShellSamples samples;
    samples.positions = mesh.positions;
    samples.areas = Points::Zero(3, mesh.positions.cols());
    for (const auto& t : mesh.triangles.colwise()) {
        const Vector3 a = mesh.positions.col(t[0]), b = mesh.positions.col(t[1]), c = mesh.positions.col(t[2]);
        for (int k = 0; k < 3; ++k) samples.areas.col(t[k]) -= (b - a).cross(c - a) / 6.0;
    }
    return samples;
}

/// Centres of the voxels that the surface goes through.
ShellSamples voxelCentres(int points) {
    const double h = std::sqrt(4 * M_PI * M_PI * kRing * kTube / points);
    std::vector<Vector3> places;
    const int n = static_cast<int>(std::ceil((kRing + kTube) / h)) + 1, m = static_cast<int>(std::ceil(kTube / h)) + 1;
    for (int x = -n; x <= n; ++x)
        for (int y = -n; y <= n; ++y)
            for (int z = -m; z <= m; ++z) {
                const Vector3 p = h * Vector3(x + 0.5, y + 0.5, z + 0.5);
                Vector3 normal;
                if (std::abs(torusDistance(p, normal)) <= 0.5 * h) places.push_back(p);
            }
    return evenly(places);
}

/// A place by chance, of evenly distributed ones.
Vector3 anywhere(std::mt19937& engine) {
    std::uniform_real_distribution<double> angle(0, 2 * M_PI), chance(0, kRing + kTube);
    for (;;) {
        const double a = angle(engine), b = angle(engine), out = kRing + kTube * std::cos(b);
        if (chance(engine) < out) return {out * std::cos(a), out * std::sin(a), kTube * std::sin(b)};
    }
}

ShellSamples random(int points) {
    std::mt19937 engine(7);
    std::vector<Vector3> places;
    while (static_cast<int>(places.size()) < points) places.push_back(anywhere(engine));
    return evenly(places);
}

/// The finest of levels that begin with some 250 points, as those of [B07 3.8.1] do with some 320.
const std::vector<Vector3>& repelled(int points) {
    static std::map<int, std::vector<Vector3>> made;
    std::vector<Vector3>& places = made[points];
    if (!places.empty()) return places;
    std::mt19937 engine(7);
    const benchmarks::PointSurface torus{4 * M_PI * M_PI * kRing * kTube, [&engine] { return anywhere(engine); },
                                         [](const Vector3& p) {
                                             Vector3 normal;
                                             const double d = torusDistance(p, normal);
                                             return Vector3(p - d * normal);
                                         }};
    int levels = 1;
    while (points >> (2 * levels) >= 200) ++levels;
    return places = benchmarks::repelledPoints(torus, points, levels);
}

ShellSamples repelledEvenly(int points) {
    return evenly(repelled(points));
}

/// Each with the area vectors of the pieces that it is nearest to.
ShellSamples repelledWithAreas(int points) {
    static const ShellSamples pieces = piecesOfTriangles(1);
    const std::vector<Vector3>& places = repelled(points);
    const benchmarks::PointHash hash(places, 3 * std::sqrt(4 * M_PI * M_PI * kRing * kTube / points));
    ShellSamples samples = evenly(places);
    samples.areas.setZero();
    for (Eigen::Index i = 0; i < pieces.positions.cols(); ++i)
        if (const int nearest = hash.nearest(pieces.positions.col(i)); nearest >= 0)
            samples.areas.col(nearest) += pieces.areas.col(i);
    return samples;
}

/// Where lines along the three axes, on grids, go through the surface.
ShellSamples layeredDepth(int points) {
    // Each axis sees about the sum of |n_k| of the area.
    const double h = std::sqrt(1.5 * 4 * M_PI * M_PI * kRing * kTube / points);
    std::vector<Vector3> places;
    const int n = static_cast<int>(std::ceil((kRing + kTube) / h)) + 1;
    for (int axis = 0; axis < 3; ++axis)
        for (int i = -n; i <= n; ++i)
            for (int j = -n; j <= n; ++j) {
                Vector3 p, normal;
                p[axis] = 0;
                p[(axis + 1) % 3] = (i + 0.5) * h;
                p[(axis + 2) % 3] = (j + 0.5) * h;
                double last = 1;
                for (double along = -0.14; along < 0.14; along += 2e-4) {
                    p[axis] = along;
                    const double d = torusDistance(p, normal);
                    if (d * last < 0) {
                        Vector3 hit = p;
                        hit[axis] -= 2e-4 * d / (d - last);
                        places.push_back(hit);
                    }
                    last = d;
                }
            }
    return evenly(places);
}

Vector3 forceOf(const ShellSamples& samples, const RigidTransform& pose) {
    static const AnalyticField sphere = AnalyticField::sphere(0.05);
    Vector3 force = Vector3::Zero();
    for (Eigen::Index i = 0; i < samples.positions.cols(); ++i) {
        const double d = sphere.distance(pose.point(samples.positions.col(i)));
        if (d < 0) force -= d * pose.direction(samples.areas.col(i));
    }
    return force;
}

void tell(const std::string& name, const char* quantity, double value, const std::string& conditions) {
    std::printf("\"%s\",1,,1,%s,1,%.4g,%.4g,,,\"%s\"\n", name.c_str(), quantity, value, value, conditions.c_str());
}

void measureShells() {
    const ShellSamples reference = piecesOfTriangles(1000000);
    std::vector<RigidTransform> poses;
    for (int i = 0; i < 60; ++i)
        poses.push_back(
            test::turned(Vector3(std::sin(i), std::cos(2.0 * i), std::sin(3.0 * i)), 0.37 * i, Vector3::Zero()));
    for (RigidTransform& pose : poses) pose.translation = -pose.direction(Vector3(kRing, 0, kTube + 0.047));
    std::vector<Vector3> truth;
    double size = 0;
    for (const RigidTransform& pose : poses) {
        truth.push_back(forceOf(reference, pose));
        size += truth.back().squaredNorm();
    }
    const std::pair<const char*, std::function<ShellSamples(int)>> kinds[] = {
        {"levels of pieces of triangles (used)", levelOfShell},
        {"mesh vertices", meshVertices},
        {"voxel centres", voxelCentres},
        {"random", random},
        {"layered depth", layeredDepth},
        {"repulsion", repelledEvenly},
        {"repulsion, area vectors of what is nearest", repelledWithAreas}};
    for (const int points : {4000, 64000})
        for (const auto& [name, make] : kinds) {
            const ShellSamples samples = make(points);
            double error = 0;
            for (std::size_t i = 0; i < poses.size(); ++i)
                error += (forceOf(samples, poses[i]) - truth[i]).squaredNorm();
            tell(std::string("shell: ") + name, "rms error of the force", std::sqrt(error / size),
                 std::to_string(samples.positions.cols()) + " points; a torus 3 mm deep in a sphere; 60 poses");
        }
}

/// x + b z^2 and a twist about z.
struct Bend {
    double bend, twist;
    Vector3 place(const Vector3& p) const {
        const double c = std::cos(twist * p.z()), s = std::sin(twist * p.z());
        return {c * p.x() - s * p.y() + bend * p.z() * p.z(), s * p.x() + c * p.y(), p.z()};
    }
    Matrix3 gradient(const Vector3& p) const {
        Matrix3 F;
        constexpr double e = 1e-6;
        for (int k = 0; k < 3; ++k)
            F.col(k) = (place(p + e * Vector3::Unit(k)) - place(p - e * Vector3::Unit(k))) / (2 * e);
        return F;
    }
};

std::vector<int> nearest(const Points& all, Eigen::Index of, int count) {
    std::vector<int> order(static_cast<std::size_t>(all.cols()));
    std::iota(order.begin(), order.end(), 0);
    const Vector3 p = all.col(of);
    std::nth_element(order.begin(), order.begin() + count, order.end(),
                     [&](int a, int b) { return (all.col(a) - p).squaredNorm() < (all.col(b) - p).squaredNorm(); });
    order.resize(static_cast<std::size_t>(count) + 1);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return (all.col(a) - p).squaredNorm() < (all.col(b) - p).squaredNorm(); });
    return order;  // the point itself first
}

void measureNormals() {
    const ShellSamples samples = levelOfShell(262144);
    const Bend bend{2.0, 3.0};
    Points moved = samples.positions;
    for (auto p : moved.colwise()) p = bend.place(p);
    struct Kind {
        const char* name;
        std::vector<double> degrees, area;
    };
    std::vector<Kind> kinds{{"area vectors cof(F) A N (used)", {}, {}},
                            {"F N", {}, {}},
                            {"plane through 8 neighbours", {}, {}},
                            {"cross product of two neighbours", {}, {}},
                            {"N as at rest", {}, {}}};
    for (Eigen::Index i = 0; i < moved.cols(); i += 373) {
        Vector3 N;
        torusDistance(samples.positions.col(i), N);
        const Matrix3 F = bend.gradient(samples.positions.col(i));
        const Vector3 truth = (F.inverse().transpose() * N).normalized();
        const std::vector<int> around = nearest(moved, i, 8);
        Matrix3 scatter = Matrix3::Zero();
        Vector3 mean = Vector3::Zero();
        for (const int k : around) mean += moved.col(k) / static_cast<double>(around.size());
        for (const int k : around) scatter += (moved.col(k) - mean) * (moved.col(k) - mean).transpose();
        const Eigen::SelfAdjointEigenSolver<Matrix3> axes(scatter);
        const Vector3 first = moved.col(around[1]) - moved.col(i);
        Vector3 cross = Vector3::Zero();
        for (std::size_t k = 2; k < around.size() && cross.norm() < 0.5 * first.squaredNorm(); ++k)
            cross = first.cross(moved.col(around[k]) - moved.col(i));
        const Vector3 found[] = {areaVector(F, samples.areas.col(i).normalized(), samples.areas.col(i).norm()), F * N,
                                 axes.eigenvectors().col(0), cross, N};
        for (std::size_t k = 0; k < kinds.size(); ++k)
            kinds[k].degrees.push_back(180 / M_PI *
                                       std::acos(std::min(1.0, std::abs(found[k].normalized().dot(truth)))));
    }
    for (Kind& kind : kinds) {
        const std::string conditions = "a torus bent and twisted; " + std::to_string(kind.degrees.size()) + " points";
        double mean = 0;
        for (const double d : kind.degrees) mean += d / static_cast<double>(kind.degrees.size());
        tell(std::string("normal: ") + kind.name, "mean error in degrees", mean, conditions);
        tell(std::string("normal: ") + kind.name, "largest error in degrees",
             *std::max_element(kind.degrees.begin(), kind.degrees.end()), conditions);
    }
}

/// Places near the surface of a box, as far inside as what presses on its faces comes. @param depth m
std::vector<Vector3> placesInBox(double half, double depth, std::mt19937& engine) {
    std::uniform_real_distribution<double> across(-half, half);
    std::vector<Vector3> places;
    for (int i = 0; i < 20000; ++i) places.emplace_back(across(engine), across(engine), half - depth);
    return places;
}

/// Of a torus, which is smooth, and of a face of a box, whose edges the medial axis reaches.
void measureFieldNormals() {
    std::mt19937 engine(11);
    DistanceFieldOptions options;
    options.resolution = 128;
    constexpr double half = 0.1;
    SurfaceMesh box;
    box.positions.resize(3, 8);
    for (int c = 0; c < 8; ++c) box.positions.col(c) = half * Vector3(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1);
    box.triangles.resize(3, 12);
    box.triangles << 0, 0, 4, 4, 0, 0, 2, 2, 0, 0, 1, 1,  //
        2, 3, 5, 7, 1, 5, 6, 7, 4, 6, 3, 7,               //
        3, 1, 7, 6, 5, 4, 7, 3, 6, 2, 7, 5;
    for (const bool isBox : {false, true}) {
        const DistanceField sampled = makeDistanceField(isBox ? box : test::torusSurface(kRing, kTube, 512), options);
        const RigidField field(sampled);
        const double h = sampled.spacing;
        std::vector<Vector3> places = placesInBox(half, h, engine);
        if (!isBox)
            for (Vector3& p : places) {
                Vector3 normal;
                p = anywhere(engine);
                torusDistance(p, normal);
                p -= h * normal;
            }
        const auto truth = [isBox](const Vector3& p) {
            Vector3 normal = Vector3::UnitZ();
            if (!isBox) torusDistance(p, normal);
            return normal;
        };
        for (const bool isSmoothed : {false, true}) {
            const benchmarks::NormalErrors errors =
                benchmarks::normalErrors(field, places, isSmoothed ? h : 1e-3 * h, 0.01 * h, truth);
            const std::string name = std::string("normal: gradient of a field") + (isSmoothed ? ", smoothed" : "");
            const std::string conditions = std::string(isBox ? "a face of a box" : "a torus") + ", a spacing deep; " +
                                           std::to_string(places.size()) +
                                           " places; 128 spacings along the field; changes in a hundredth of one";
            tell(name, "mean error in degrees", errors.mean, conditions);
            tell(name, "largest error in degrees", errors.largest, conditions);
            tell(name, "largest change in degrees", errors.jump, conditions);
            tell(name, "share that is more than 45 degrees off", errors.flipped, conditions);
        }
    }
}

}  // namespace

int main() {
    std::printf("case,bodies,r,workers,quantity,unit,low,high,commit,recorded,conditions\n");
    measureShells();
    measureNormals();
    measureFieldNormals();
    return 0;
}
