// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/MakeLatticeModel.h"

#include <algorithm>
#include <cmath>

#include "pliant/character/BoneCores.h"
#include "pliant/character/BonePieces.h"
#include "pliant/character/FleshWeights.h"
#include "pliant/control_lattice/CellStrains.h"
#include "pliant/control_lattice/CutShares.h"
#include "pliant/control_lattice/LatticeBones.h"
#include "pliant/control_lattice/LatticeFlesh.h"
#include "pliant/control_lattice/LatticeMatrices.h"
#include "pliant/control_lattice/LatticeRegions.h"
#include "pliant/control_lattice/LatticeSurface.h"
#include "pliant/control_lattice/LatticeTies.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/CheckVolumeMesh.h"
#include "pliant/mesh/SurfaceClosure.h"

namespace pliant {
namespace {

constexpr double leastPart = 1e-3;   // of a function's mass: a region that has less of it does without it
constexpr double coreHold = 10.0;    // k_t a^2 / G: the core follows its bone rather than the flesh around it
constexpr double bonePlaces = 1e-6;  // of the lattice's diagonal: how far a bone's end may be from its vertex

std::vector<ElasticMaterial> materialsOf(const LatticeOptions& options) {
    return options.materials.empty() ? std::vector<ElasticMaterial>{options.material} : options.materials;
}

void checkInput(const Rig& rig, const ControlLattice& lattice, const LatticeOptions& options,
                const std::string& where) {
    if (!(options.core > 0.0 && options.core < 1.0))
        throw Error(where, "the core is a share of the way to the surface, 0 to 1");
    for (const ElasticMaterial& material : materialsOf(options)) {
        checkMaterial(material, where);
        if (!material.isotropic()) throw Error(where, "the flesh of a character is isotropic");
    }
    const auto materials = static_cast<int>(materialsOf(options).size());
    if (!options.cellMaterial.empty() && options.cellMaterial.size() != lattice.cells.size())
        throw Error(where, std::to_string(options.cellMaterial.size()) + " cells have materials, the lattice has " +
                               std::to_string(lattice.cells.size()) + " cells");
    for (const int m : options.cellMaterial)
        if (m < 0 || m >= materials) throw Error(where, "material " + std::to_string(m) + " of a cell does not exist");
    checkSkeleton(rig.skeleton, where);
    for (const Clip& clip : rig.clips) checkClip(rig.skeleton, clip, where);
    if (rig.weights.pointCount() != rig.surface.vertexCount())
        throw Error(where, std::to_string(rig.weights.pointCount()) + " points have weights, the surface has " +
                               std::to_string(rig.surface.vertexCount()));
    const SurfaceClosure closure = examineClosure(rig.surface);
    if (!closure.closed())
        throw Error(where,
                    "the surface of a character encloses its flesh; this one is not closed, " + openEdgesText(closure),
                    "fill its holes and weld its vertices");
}

/// The work in its order; what one step makes the next ones read.
class Maker {
public:
    Maker(const Rig& rig, ControlLattice lattice, const LatticeOptions& options, std::string where,
          LatticeReport& report, const ProgressCallback& progress)
        : m_rig(rig),
          m_lattice(std::move(lattice)),
          m_options(options),
          m_where(std::move(where)),
          m_report(report),
          m_progress(progress) {}

    std::shared_ptr<const LatticeModel> make() {
        reportProgress(m_progress, "lattice cut", 0.0);
        prepare();
        reportProgress(m_progress, "lattice cut", 0.7);
        chooseFunctions();
        const auto model = std::make_shared<LatticeModel>();
        describe(*model);
        makeRegions(*model);
        reportProgress(m_progress, "lattice surface", 0.0);
        model->strains = cellStrains(m_cut, m_values, static_cast<int>(m_lattice.cells.size()));
        model->surface = m_rig.surface;
        const std::vector<MaterialPoint> points = embed(m_cut.mesh, m_rig.surface.positions);
        reportProgress(m_progress, "lattice surface", 0.5);
        model->surfacePoints = latticeSurface(m_rig, m_cut.mesh, points, m_values, m_where);
        noteLostFlesh(m_rig, m_cut, points, m_where, m_report.notes);
        m_report.regions = static_cast<int>(model->regions.size());
        m_report.functions = model->functionCount();
        return model;
    }

private:
    void prepare() {
        if (const int turned = checkControlLattice(m_lattice, m_where); turned > 0)
            m_report.notes.push_back(m_where + ": " + std::to_string(turned) + " mirrored cells were turned round");
        const Vector3 size = m_lattice.positions.rowwise().maxCoeff() - m_lattice.positions.rowwise().minCoeff();
        m_bones = findLatticeBones(m_lattice, m_rig, bonePlaces * size.norm(), m_where);
        m_hierarchy = makeHierarchy(m_lattice, m_bones.edges, m_options.levels, m_options.depth);
        m_cut = cutLattice(m_hierarchy, m_rig.surface, materialsOf(m_options), m_options.cellMaterial, m_where);
        m_cores = boneCores(m_rig, m_cut.mesh, m_options.core, m_where, m_report.notes);
        for (const ElasticMaterial& material : materialsOf(m_options))
            if (material.poissonRatio > 0.4)
                m_report.notes.push_back(m_where +
                                         ": a Poisson's ratio above 0.4 locks coarse cells: flesh moves less "
                                         "than it should");
    }

    int boneOf(int vertex) const {
        const int onBone = m_bones.boneOf[static_cast<std::size_t>(vertex)];
        return onBone >= 0 ? onBone : m_cores.boneOf[static_cast<std::size_t>(vertex)];
    }

    void chooseFunctions() {
        std::vector<int> held;
        for (Eigen::Index v = 0; v < m_lattice.positions.cols(); ++v)
            if (boneOf(static_cast<int>(v)) >= 0) held.push_back(static_cast<int>(v));
        const SparseMatrix mass = latticeMatrices(m_cut, m_hierarchy.values, m_cut.share).mass;
        VectorX unit = VectorX::Zero(m_hierarchy.functionCount());  // the lattice's own functions have the sum 1
        unit.head(m_lattice.positions.cols()).setOnes();
        m_report.mass = unit.dot(mass * unit);
        m_ties = tieLightFunctions(m_lattice, m_hierarchy, mass, fullCellMasses(m_hierarchy, m_cut, m_lattice), held,
                                   m_where);
        m_values = m_hierarchy.values * m_ties.combine;
        m_report.held = static_cast<int>(held.size());
        m_report.tied = m_hierarchy.functionCount() - static_cast<int>(m_ties.kept.size());
    }

    void describe(LatticeModel& model) {
        const auto count = static_cast<Eigen::Index>(m_ties.kept.size());
        model.skeleton = m_rig.skeleton;
        model.clips = m_rig.clips;
        model.coreRadii = m_cores.radii;
        model.rest.setZero(3, count);
        model.unit.setZero(count);
        for (Eigen::Index k = 0; k < count; ++k) {
            const auto a = static_cast<std::size_t>(m_ties.kept[static_cast<std::size_t>(k)]);
            const bool coarse = m_hierarchy.level[a] == 0;
            model.level.push_back(m_hierarchy.level[a]);
            model.boneOf.push_back(coarse ? boneOf(m_hierarchy.vertex[a]) : -1);
            if (!coarse) continue;
            model.rest.col(k) = m_lattice.positions.col(m_hierarchy.vertex[a]);
            model.unit[k] = 1.0;
        }
        model.mass = latticeMatrices(m_cut, m_values, m_cut.share).mass;
        m_mass = model.mass.diagonal();
        model.weight = model.mass * model.unit;
    }

    /// n' x B at every vertex of the finest subdivision.
    MatrixX fineWeights() const {
        const SkinWeights skin = fleshWeights(m_rig, m_cut.mesh, m_cores);
        MatrixX weights = MatrixX::Zero(skin.bones.cols(), m_rig.skeleton.boneCount());
        for (Eigen::Index v = 0; v < weights.rows(); ++v)
            for (Eigen::Index k = 0; k < 4; ++k) weights(v, skin.bones(k, v)) += skin.weights(k, v);
        return weights;
    }

    void makeRegions(LatticeModel& model) const {
        const Eigen::Index n = m_lattice.positions.cols();
        if (m_options.globalLinear) {
            MatrixX weights = MatrixX::Zero(n, 1);
            weights.setOnes();
            addRegion({0, std::vector<bool>(m_lattice.cells.size(), true)}, weights, model);
            return;
        }
        reportProgress(m_progress, "lattice weights", 0.0);
        MatrixX weights = m_options.vertexWeights;
        if (weights.size() == 0) weights = fineWeights().topRows(n);
        if (weights.rows() != n || weights.cols() != m_rig.skeleton.boneCount())
            throw Error(m_where,
                        "weights of the lattice's vertices are " + std::to_string(weights.rows()) + " x " +
                            std::to_string(weights.cols()),
                        "a row a vertex, a column a bone");
        checkWeights(weights);
        std::vector<bool> held(static_cast<std::size_t>(n));
        for (Eigen::Index v = 0; v < n; ++v) held[static_cast<std::size_t>(v)] = boneOf(static_cast<int>(v)) >= 0;
        const std::vector<RegionCells> regions = regionsOf(m_lattice, held, weights);
        for (std::size_t k = 0; k < regions.size(); ++k) {
            reportProgress(m_progress, "lattice regions", static_cast<double>(k) / static_cast<double>(regions.size()));
            addRegion(regions[k], weights, model);
        }
        normaliseBlend(model);
    }

    void checkWeights(const MatrixX& weights) const {
        for (Eigen::Index v = 0; v < weights.rows(); ++v) {
            if (!(weights.row(v).minCoeff() >= 0.0) || !std::isfinite(weights.row(v).sum()))
                throw Error(m_where + ": vertex " + std::to_string(v),
                            "its weights for the bones are not all numbers of 0 and more");
            if (!(weights.row(v).sum() > 0.0))
                throw Error(m_where + ": vertex " + std::to_string(v), "it has no weight for any bone",
                            "give it to the bone that its flesh is to follow");
        }
    }

    void addRegion(const RegionCells& of, const MatrixX& weights, LatticeModel& model) const {
        LatticeRegion region;
        region.bone = of.bone;
        VectorX inCells = VectorX::Zero(m_cut.share.size()), shared = inCells, core = inCells;
        // w_b(x) = sum_a W_a phi_a(x) over the lattice's own functions, at the vertices of the cut mesh
        const VectorX vertexWeight = interpolated(weights.col(of.bone)), outsideCore = coreDistances(of.bone);
        for (Eigen::Index e = 0; e < inCells.size(); ++e) {
            double mean = 0.0;
            std::array<double, 4> depth{};
            for (int c = 0; c < 4; ++c) {
                const int v = m_cut.mesh.elements(c, e);
                mean += 0.25 * vertexWeight[v];
                depth[static_cast<std::size_t>(c)] = outsideCore[v];
            }
            if (of.holds[static_cast<std::size_t>(m_cut.cellOf[static_cast<std::size_t>(e)])])
                inCells[e] = m_cut.share[e];
            shared[e] = std::min(1.0, mean) * m_cut.share[e];
            core[e] = shareBelowZero(depth) * m_cut.share[e];
        }
        if (const double radius = m_cores.radii[of.bone]; radius > 0.0)
            region.coreStiffness = coreHold * meanShearModulus(m_cut, core) / (radius * radius);
        region.cells = operatorOf(inCells, core.cwiseMin(inCells), leastPart);
        region.shared = operatorOf(shared, core, 0.0);
        region.blend.resize(static_cast<Eigen::Index>(region.cells.functions.size()));
        for (Eigen::Index k = 0; k < region.blend.size(); ++k) {
            const int kept = m_ties.kept[static_cast<std::size_t>(region.cells.functions[static_cast<std::size_t>(k)])];
            region.blend[k] = vertexWeight[m_hierarchy.vertex[static_cast<std::size_t>(kept)]];
        }
        model.regions.push_back(std::move(region));
    }

    /// At the vertices of the finest subdivision, from the lattice's vertices.
    VectorX interpolated(const VectorX& coarse) const {
        VectorX values = coarse;
        for (const SubdividedLattice& level : m_hierarchy.finer) values = level.values * values;
        return values;
    }

    /// How far each vertex of the finest subdivision is outside of a bone's core, m; below zero inside.
    VectorX coreDistances(int bone) const {
        const double radius = m_cores.radii[bone];
        VectorX distances = VectorX::Ones(m_cut.mesh.positions.cols());
        if (!(radius > 0.0)) return distances;
        std::vector<BonePiece> pieces = bonePiecesOf(m_rig, bonesWithSkin(m_rig), static_cast<std::size_t>(bone));
        for (BonePiece& piece : pieces) piece = piece.withoutJoints(radius);
        for (Eigen::Index v = 0; v < distances.size(); ++v)  // beyond a joint the distance is infinite
            distances[v] = std::min(distanceTo(pieces, m_cut.mesh.positions.col(v)), 10.0 * radius) - radius;
        return distances;
    }

    /// @param least of a function's mass: those with no more are left out
    LatticeOperator operatorOf(const VectorX& weight, const VectorX& core, double least) const {
        const LatticeMatrices whole = latticeMatrices(m_cut, m_values, weight);
        const SparseMatrix products = latticeProducts(m_cut, m_values, core);
        LatticeOperator made;
        for (Eigen::Index a = 0; a < whole.mass.cols(); ++a)
            if (whole.mass.coeff(a, a) > least * m_mass[a]) made.functions.push_back(static_cast<int>(a));
        made.mass = among(whole.mass, made.functions, 1);
        made.stiffness = among(whole.stiffness, made.functions, 3);
        made.core = among(products, made.functions, 1);
        return made;
    }

    /// Rows and columns of some functions.
    static SparseMatrix among(const SparseMatrix& all, const std::vector<int>& functions, int axes) {
        std::vector<int> number(static_cast<std::size_t>(all.cols() / axes), -1);
        for (std::size_t k = 0; k < functions.size(); ++k)
            number[static_cast<std::size_t>(functions[k])] = static_cast<int>(k);
        std::vector<Eigen::Triplet<double>> triplets;
        for (Eigen::Index column = 0; column < all.cols(); ++column)
            for (SparseMatrix::InnerIterator at(all, column); at; ++at) {
                const int i = number[static_cast<std::size_t>(at.row() / axes)];
                const int j = number[static_cast<std::size_t>(column / axes)];
                if (i >= 0 && j >= 0 && at.value() != 0.0)
                    triplets.emplace_back(axes * i + static_cast<int>(at.row() % axes),
                                          axes * j + static_cast<int>(column % axes), at.value());
            }
        const auto size = axes * static_cast<Eigen::Index>(functions.size());
        SparseMatrix made(size, size);
        made.setFromTriplets(triplets.begin(), triplets.end());
        return made;
    }

    /// Weights of each function over the regions that hold it, with the sum 1; those without any count alike.
    static void normaliseBlend(LatticeModel& model) {
        VectorX sum = VectorX::Zero(model.functionCount()), holders = sum;
        const auto visit = [&](const auto& act) {
            for (LatticeRegion& region : model.regions)
                for (Eigen::Index k = 0; k < region.blend.size(); ++k)
                    act(region.blend[k], region.cells.functions[static_cast<std::size_t>(k)]);
        };
        visit([&](double& w, int a) { sum[a] += w, holders[a] += 1.0; });
        visit([&](double& w, int a) { w = sum[a] > 0.0 ? w / sum[a] : 1.0 / holders[a]; });
    }

    const Rig& m_rig;
    ControlLattice m_lattice;
    const LatticeOptions& m_options;
    std::string m_where;
    LatticeReport& m_report;
    const ProgressCallback& m_progress;
    LatticeBones m_bones;
    LatticeHierarchy m_hierarchy;
    IntegrationMesh m_cut;
    BoneCores m_cores;
    LatticeTies m_ties;
    VectorX m_mass;         ///< of each kept function, the diagonal, kg
    SparseMatrix m_values;  ///< kept functions at the vertices of the finest subdivision
};

}  // namespace

std::shared_ptr<const LatticeModel> makeLatticeModel(const Rig& rig, ControlLattice lattice,
                                                     const LatticeOptions& options, const std::string& where,
                                                     LatticeReport* report, const ProgressCallback& progress) {
    checkInput(rig, lattice, options, where);
    LatticeReport unseen;
    return Maker(rig, std::move(lattice), options, where, report ? *report : unseen, progress).make();
}

std::shared_ptr<const LatticeModel> makeLatticeModel(const Rig& rig, ControlLattice lattice,
                                                     const LatticeOptions& options, const std::string& where,
                                                     LatticeReport* report) {
    return makeLatticeModel(rig, std::move(lattice), options, where, report, ProgressCallback());
}

}  // namespace pliant
