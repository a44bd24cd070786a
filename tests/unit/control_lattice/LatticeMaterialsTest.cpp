// SPDX-License-Identifier: Zlib
// Figure 4 of [C02]: materials of a lattice's cells. Two equal prongs on one block, one of a hundredth of the other's
// stiffness, swing as beams of their own; and the generated quadruped without bones in ears and horns rolls its head:
// ears flop, horns stay stiff. The numbers of docs/internals/lattice-figures.md. PLIANT_TEST_PICTURES names a folder
// that gets surfaces (.obj).
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "RegionFrequency.h"
#include "pliant/control_lattice/MakeControlLattice.h"
#include "pliant/control_lattice/MakeLatticeModel.h"
#include "pliant/mesh/ReadObj.h"
#include "pliant/mesh/SurfaceNormals.h"
#include "pliant/rig/gltf/ReadRig.h"
#include "pliant/runtime/lattice/LatticeBatch.h"

namespace pliant::test {
namespace {

constexpr double thick = 0.02, tall = 0.2, density = 1000.0, softYoung = 2.0e4, stiffYoung = 2.0e6;  // m, kg/m^3, Pa

/// Two prongs of square section on a block, of cubes, `across` of them to the thickness.
class Fork {
public:
    explicit Fork(int across) : m_edge(thick / across) {
        const int n = across, high = static_cast<int>(std::lround(tall / m_edge));
        for (int x = 0; x < 5 * n; ++x)
            for (int y = 0; y < n; ++y) {
                for (int z = -n; z < 0; ++z) addCube({x, y, z}, 1);
                for (int z = 0; z < high && (x < n || x >= 4 * n); ++z) addCube({x, y, z}, x < n ? 0 : 1);
            }
        lattice.positions.resize(3, static_cast<Eigen::Index>(m_numbers.size()));
        for (const auto& [place, number] : m_numbers)
            lattice.positions.col(number) = m_edge * Vector3(place[0], place[1], place[2]);
        makeRig();
    }

    ControlLattice lattice;
    std::vector<int> materials;  ///< a cell each: 0 soft, 1 stiff
    Rig rig;

private:
    using Place = std::array<int, 3>;

    int vertexAt(const Place& place) {
        return m_numbers.try_emplace(place, static_cast<int>(m_numbers.size())).first->second;
    }

    void addCube(const Place& at, int material) {
        ControlCell& cell = lattice.cells.emplace_back();
        cell.kind = CellKind::Hexahedron;
        const int corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                   {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
        for (std::size_t c = 0; c < 8; ++c)
            cell.corners[c] = vertexAt({at[0] + corners[c][0], at[1] + corners[c][1], at[2] + corners[c][2]});
        materials.push_back(material);
    }

    /// The faces of one cube alone are the surface, the block's axis is the bone.
    void makeRig() {
        const int faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
        std::map<std::array<int, 4>, std::array<int, 4>> outside;
        for (const ControlCell& cell : lattice.cells)
            for (const auto& face : faces) {
                std::array<int, 4> corners;
                for (std::size_t k = 0; k < 4; ++k) corners[k] = cell.corners[static_cast<std::size_t>(face[k])];
                std::array<int, 4> key = corners;
                std::sort(key.begin(), key.end());
                if (!outside.try_emplace(key, corners).second) outside.erase(key);
            }
        rig.surface.positions = lattice.positions;
        rig.surface.triangles.resize(3, static_cast<Eigen::Index>(2 * outside.size()));
        Eigen::Index t = 0;
        for (const auto& [key, c] : outside) {
            rig.surface.triangles.col(t++) = Eigen::Vector3i(c[0], c[1], c[2]);
            rig.surface.triangles.col(t++) = Eigen::Vector3i(c[0], c[2], c[3]);
        }
        rig.skeleton.bones.resize(1);
        rig.skeleton.bones[0].name = "block";
        rig.skeleton.bones[0].bind.translation = Vector3(0.0, 0.5 * thick, -0.5 * thick);
        rig.skeleton.bones[0].ends = {Vector3(5.0 * thick, 0.5 * thick, -0.5 * thick)};
        rig.weights.bones.setZero(4, lattice.positions.cols());
        rig.weights.weights.setZero(4, lattice.positions.cols());
        rig.weights.weights.row(0).setOnes();
    }

    double m_edge;
    std::map<Place, int> m_numbers;
};

/// A cantilever's first frequency, Hz: bending and shear, one after the other (Dunkerley), without Poisson's ratio.
double beamFrequency(double young) {
    const double bending = 1.8751 * 1.8751 / (2 * M_PI * tall * tall) * std::sqrt(young * thick * thick / 12 / density);
    const double shear = std::sqrt(5.0 / 6.0 * 0.5 * young / density) / (4 * tall);
    return 1.0 / std::sqrt(1.0 / (bending * bending) + 1.0 / (shear * shear));
}

struct Prongs {
    double soft = 0.0, stiff = 0.0;  ///< Hz
};

Prongs prongsOf(int across) {
    const Fork fork(across);
    LatticeOptions options;
    options.materials = {ElasticMaterial{"ear", density, softYoung, 0.0},
                         ElasticMaterial{"horn", density, stiffYoung, 0.0}};
    options.cellMaterial = fork.materials;
    options.depth = 1;
    options.globalLinear = true;
    const auto model = makeLatticeModel(fork.rig, fork.lattice, options, "fork");
    const Eigen::Index n = model->functionCount();
    Eigen::VectorXd soft = Eigen::VectorXd::Zero(3 * n), stiff = soft;
    std::vector<Eigen::Index> free;  // the block is held
    for (Eigen::Index a = 0; a < n; ++a) {
        const Vector3 x = model->rest.col(a);
        if (x.z() < 1e-9) continue;
        (x.x() < 2 * thick ? soft : stiff)[3 * a] = x.z() * x.z();
        for (int k = 0; k < 3; ++k) free.push_back(3 * a + k);
    }
    return {frequency(model->regions[0].cells, free, soft), frequency(model->regions[0].cells, free, stiff)};
}

// The error of cubes that bend, which are too stiff, falls with the square of their edges.
TEST(LatticeMaterials, ProngsSwingAsBeamsOfTheirOwnStiffness) {
    const Prongs coarse = prongsOf(2), fine = prongsOf(4);
    const double soft = beamFrequency(softYoung), stiff = beamFrequency(stiffYoung);
    std::printf("prongs: soft %.4f %.4f (%.4f), stiff %.4f %.4f (%.4f) Hz\n", coarse.soft, fine.soft, soft,
                coarse.stiff, fine.stiff, stiff);
    EXPECT_NEAR((4.0 * fine.soft - coarse.soft) / 3.0, soft, 0.01 * soft);
    EXPECT_NEAR((4.0 * fine.stiff - coarse.stiff) / 3.0, stiff, 0.01 * stiff);
}

/// What a vertex of the quadruped belongs to.
enum Part { Head, Ear, Horn };

/// The quadruped with flesh alone in ears and horns, which follow the head.
struct Shaggy {
    Shaggy() : rig(readRig(PLIANT_MEDIA_DIR "/characters/quadruped.glb").rig) {
        const int head = findBone(rig.skeleton, "head");
        parts.assign(static_cast<std::size_t>(rig.weights.weights.cols()), Head);
        for (Eigen::Index v = 0; v < rig.weights.weights.cols(); ++v)
            for (int k = 0; k < 4; ++k) {
                const std::string& name = rig.skeleton.bones[static_cast<std::size_t>(rig.weights.bones(k, v))].name;
                const bool isEar = name.find(" ear") != std::string::npos,
                           isHorn = name.find(" horn") != std::string::npos;
                if (!isEar && !isHorn) continue;
                if (rig.weights.weights(k, v) > 0.5) parts[static_cast<std::size_t>(v)] = isEar ? Ear : Horn;
                rig.weights.bones(k, v) = head;
            }
    }
    Part partAt(const Vector3& x) const {
        Eigen::Index nearest = 0;
        (rig.surface.positions.colwise() - x).colwise().squaredNorm().minCoeff(&nearest);
        return parts[static_cast<std::size_t>(nearest)];
    }

    Rig rig;
    std::vector<Part> parts;
};

/// Largest principal Green strain of the mean deformation gradient of a cell.
double largestStrain(const LatticeStrain& cell, const Eigen::Map<const Points>& p) {
    Matrix3 F = Matrix3::Zero();
    for (std::size_t k = 0; k < cell.functions.size(); ++k)
        F += p.col(cell.functions[k]) * cell.gradients.col(static_cast<Eigen::Index>(k)).transpose();
    const Matrix3 E = 0.5 * (F.transpose() * F - Matrix3::Identity());
    return Eigen::SelfAdjointEigenSolver<Matrix3>(E, Eigen::EigenvaluesOnly).eigenvalues().cwiseAbs().maxCoeff();
}

/// The head rolled about the way to the nose.
std::vector<MovingFrame> rolled(const Skeleton& skeleton, double turn) {
    Pose pose = stance(skeleton);
    const auto b = static_cast<std::size_t>(findBone(skeleton, "head"));
    pose[b].rotation = pose[b].rotation * Rotation(Eigen::AngleAxisd(turn, Vector3::UnitX()));
    std::vector<MovingFrame> bones;
    motionOf(skeleton, pose, bones);
    return bones;
}

void save(const LatticeBatch& batch, int body, const std::string& name) {
    const char* folder = std::getenv("PLIANT_TEST_PICTURES");
    if (!folder) return;
    SurfaceMesh surface = batch.model().surface;
    batch.surface(body, surface.positions);
    computeNormals(surface);
    writeObj(surface, std::string(folder) + "/" + name + ".obj");
}

constexpr double earYoung = 2.0e4, hornYoung = 2.0e7, weight = 9.81;  // Pa, Pa, m/s^2

std::shared_ptr<const LatticeModel> shaggyLattice(const Shaggy& shaggy) {
    ControlLatticeOptions making;
    making.spacing = 0.06;
    const ControlLattice lattice = makeControlLattice(shaggy.rig, making, "quadruped");
    LatticeOptions options;
    options.depth = 2;
    options.materials = {ElasticMaterial{"flesh", density, 2.0e5, 0.3}, ElasticMaterial{"ear", density, earYoung, 0.3},
                         ElasticMaterial{"horn", density, hornYoung, 0.3}};
    for (const ControlCell& cell : lattice.cells) {
        Vector3 middle = Vector3::Zero();
        for (std::size_t k = 0; k < 4; ++k) middle += 0.25 * lattice.positions.col(cell.corners[k]);
        options.cellMaterial.push_back(shaggy.partAt(middle));
    }
    return makeLatticeModel(shaggy.rig, lattice, options, "quadruped");
}

std::vector<Part> partsOf(const LatticeModel& model, const Shaggy& shaggy) {
    std::vector<Part> parts;
    for (const LatticeStrain& cell : model.strains) {
        Vector3 middle = Vector3::Zero();
        for (const int a : cell.functions) middle += model.rest.col(a) / static_cast<double>(cell.functions.size());
        parts.push_back(shaggy.partAt(middle));
    }
    return parts;
}

/// The largest strain of a cell of each part, and how far a vertex of each is from where the head carries it.
struct PartMotion {
    std::array<double, 3> strain{}, way{};  ///< 1, m
};

/// After a second in which the flesh has come to hang, and in one roll to both sides from there, by 0.35 rad at 1.5 Hz.
struct Rolling {
    PartMotion still, moved;
};

void measure(const LatticeBatch& batch, int body, const MovingFrame& head, const Shaggy& shaggy,
             const std::vector<Part>& cells, PartMotion& most) {
    const LatticeModel& model = batch.model();
    for (std::size_t c = 0; c < cells.size(); ++c)
        most.strain[cells[c]] = std::max(most.strain[cells[c]], largestStrain(model.strains[c], batch.positions(body)));
    Points points;
    batch.surface(body, points);
    for (Eigen::Index v = 0; v < points.cols(); ++v) {
        double& way = most.way[shaggy.parts[static_cast<std::size_t>(v)]];
        way = std::max(way, (points.col(v) - head.point(model.surface.positions.col(v))).norm());
    }
}

Rolling rollingOf(const std::shared_ptr<const LatticeModel>& model, const Shaggy& shaggy,
                  const std::vector<Part>& cells) {
    constexpr double h = 1.0 / 120.0, rate = 1.5, turn = 0.35;  // s, Hz, rad
    constexpr int standing = 120, rolling = 80;
    LatticeBatch batch(model, {});
    const int body = batch.add(rolled(model->skeleton, 0.0));
    const auto head = static_cast<std::size_t>(findBone(model->skeleton, "head"));
    Rolling found;
    for (int step = 1 - standing; step <= rolling; ++step) {
        const std::vector<MovingFrame> bones =
            rolled(model->skeleton, step > 0 ? turn * std::sin(2 * M_PI * rate * step * h) : 0.0);
        batch.setBones(body, bones);
        batch.step(h, {body}, Vector3(0, 0, -weight), Workers(1));
        if (step < 0) continue;
        measure(batch, body, bones[head], shaggy, cells, step == 0 ? found.still : found.moved);
        if (step % 20 == 0) save(batch, body, "ears" + std::to_string(step));
    }
    return found;
}

/// Strain at the root of a clamped round rod across its own weight: M r / (E I) = 2 rho g L^2 / (E r).
double rootStrain(double young, double length, double radius) {
    return 2.0 * density * weight * length * length / (young * radius);
}

/// The way of its tip: w L^4 / (8 E I) = rho g L^4 / (2 E r^2), m.
double tipWay(double young, double length, double radius) {
    return density * weight * std::pow(length, 4) / (2.0 * young * radius * radius);
}

TEST(LatticeMaterials, EarsFlopAndHornsStayStiff) {
    const Shaggy shaggy;
    const auto model = shaggyLattice(shaggy);
    const std::vector<Part> cells = partsOf(*model, shaggy);
    for (const Part part : {Head, Ear, Horn}) ASSERT_GT(std::count(cells.begin(), cells.end(), part), 0) << part;
    const auto [still, moved] = rollingOf(model, shaggy, cells);
    std::printf(
        "%d functions; still and rolled: strains of ears %.1f, %.1f %%, of horns %.2f, %.2f %%; ways of ears %.1f, "
        "%.1f "
        "mm, of horns %.1f, %.1f mm\n",
        model->functionCount(), 100 * still.strain[Ear], 100 * moved.strain[Ear], 100 * still.strain[Horn],
        100 * moved.strain[Horn], 1e3 * still.way[Ear], 1e3 * moved.way[Ear], 1e3 * still.way[Horn],
        1e3 * moved.way[Horn]);
    EXPECT_GT(moved.strain[Ear], 0.10);
    EXPECT_LT(moved.strain[Horn], 0.01);
    // media/characters/Quadruped.cpp: ears of 0.12 m with a radius of 0.024 m, horns of 0.115 m with one of 0.017 m, as
    // rods. Cells of 0.06 m bend too stiffly, so that ears have to hang by more than ears of the head's own flesh
    // would, ten times as stiff; rolling adds 0.35 (2 pi 1.5)^2 x 0.12 = 3.7 m/s^2 to gravity. Cells of horns begin in
    // the head's flesh and go along with its strain: ten times that of the rod's root is left for them.
    const double likeFlesh = tipWay(10.0 * earYoung, 0.12, 0.024);
    EXPECT_GT(still.way[Ear], likeFlesh);
    EXPECT_GT(moved.way[Ear] - still.way[Ear], 3.7 / weight * likeFlesh);
    EXPECT_LT(moved.strain[Horn], 10.0 * rootStrain(hornYoung, 0.115, 0.017));
}

}  // namespace
}  // namespace pliant::test
