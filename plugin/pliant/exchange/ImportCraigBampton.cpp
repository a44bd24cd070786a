// SPDX-License-Identifier: Zlib
#include "pliant/exchange/ImportCraigBampton.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>
#include <vector>

#include "pliant/basis/BlockGramSchmidt.h"
#include "pliant/basis/DenseSolvers.h"
#include "pliant/basis/RigidModes.h"
#include "pliant/exchange/AssembleModel.h"
#include "pliant/exchange/FitBasis.h"
#include "pliant/exchange/MatrixMarket.h"
#include "pliant/exchange/ShortNumber.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/FileExtension.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/mesh/MeshTopology.h"
#include "pliant/mesh/ReadSurface.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/mesh/ReadVolume.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

constexpr int mostCoordinates = 2000;  ///< Dense eigenvalue problems of this size take some seconds.
constexpr int mostModes = 200;         ///< As in other imports.
constexpr int modesByDefault = 60;     ///< What the run time is made for.

/// A quadratic form of a file, symmetric to 1e-6 of its largest entry, made so to the last bit.
MatrixX readSymmetric(const std::string& path, const char* name) {
    MatrixX A = readMatrixMarket(path);
    if (A.rows() != A.cols())
        throw Error(path,
                    std::string(name) + " has " + std::to_string(A.rows()) + " rows and " + std::to_string(A.cols()) +
                        " columns",
                    "give a square matrix");
    if (A.rows() > mostCoordinates)
        throw Error(path, std::string(name) + " has " + std::to_string(A.rows()) + " coordinates",
                    "reduce to fewer than " + std::to_string(mostCoordinates) + " in the finite-element program");
    const MatrixX transposed = A.transpose();
    const double difference = (A - transposed).cwiseAbs().maxCoeff();
    if (difference > 1e-6 * A.cwiseAbs().maxCoeff())
        throw Error(path, std::string(name) + " is not symmetric: entries differ by up to " + shortNumber(difference),
                    "was it written as a symmetric matrix, one triangle alone, under a general header?");
    return 0.5 * (A + transposed);
}

/// A basis, s x k with orthonormal columns, of all c with A c = 0. @param A any number of rows, s columns
MatrixX nullSpace(const MatrixX& A) {
    const SymmetricEigen gram = symmetricEigen(MatrixX(A.transpose() * A));
    const double limit = 1e-10 * gram.values.cwiseAbs().maxCoeff();
    Eigen::Index count = 0;
    while (count < gram.values.size() && gram.values[count] <= limit) ++count;
    return gram.vectors.leftCols(count);
}

class CraigBamptonImporter {
public:
    CraigBamptonImporter(const CraigBamptonImport& files, const ProgressCallback& progress)
        : m_files(files), m_progress(progress) {}

    ImportedModel run() {
        reportProgress(m_progress, "matrices", 0.0);
        readMatrices();
        readMesh();
        reportProgress(m_progress, "matrices", 1.0);
        findMass();
        makeModes();
        fitModulus();
        describe();
        ImportedModel result;
        result.model = assembleModel(std::move(m_parts), m_progress, m_notes);
        result.notes = std::move(m_notes);
        return result;
    }

private:
    bool isHeld() const { return !m_parts.fixedVertices.empty(); }

    void readMatrices() {
        for (const auto& [path, what] : {std::pair(&m_files.mass, "mass.mtx"),
                                         {&m_files.stiffness, "stiffness.mtx"},
                                         {&m_files.recovery, "recovery.mtx"},
                                         {&m_files.mesh, "a simulation mesh"}})
            if (path->empty())
                throw Error("a Craig-Bampton component", std::string(what) + " is missing",
                            "it takes mass.mtx, stiffness.mtx, recovery.mtx and the mesh whose vertices recovery.mtx "
                            "moves (docs/formats.md)");
        if (!(std::isfinite(m_files.stiffnessScale) && m_files.stiffnessScale > 0.0))
            throw Error("", "the stiffness is scaled by a number that is not positive");
        m_mass = readSymmetric(m_files.mass, "the mass matrix");
        m_stiffness = m_files.stiffnessScale * readSymmetric(m_files.stiffness, "the stiffness matrix");
        if (m_mass.rows() != m_stiffness.rows())
            throw Error(m_files.stiffness,
                        "it has s = " + std::to_string(m_stiffness.rows()) + " coordinates, " + m_files.mass +
                            " has s = " + std::to_string(m_mass.rows()),
                        "give files of one component");
        const double least = symmetricEigen(m_mass).values[0];
        if (!(least > 0.0))
            throw Error(m_files.mass, "it is not positive definite: its least eigenvalue is " + shortNumber(least),
                        "leave out coordinates without mass");
    }

    void readMesh() {
        const VolumeFile volume = readVolume(m_files.mesh);
        m_notes = volume.notes;
        m_parts.mesh = volume.mesh;
        const MatrixX recovery = readMatrixMarket(m_files.recovery);
        if (recovery.cols() != m_mass.cols())
            throw Error(m_files.recovery,
                        "it has s = " + std::to_string(recovery.cols()) + " columns, " + m_files.mass +
                            " has s = " + std::to_string(m_mass.cols()) + " coordinates",
                        "give files of one component");
        m_recovery = rowsOfMesh(recovery, volume.vertexOf, m_parts.mesh.vertexCount(), m_files.recovery);
        if (m_files.surface.empty()) {
            m_parts.surface = boundarySurface(m_parts.mesh);
        } else {
            SurfaceFile surface = readSurface(m_files.surface);
            m_notes.insert(m_notes.end(), surface.notes.begin(), surface.notes.end());
            m_parts.surface = std::move(surface.mesh);
        }
        if (!m_files.fixedVertices.empty())
            m_parts.fixedVertices =
                meshVertices(volume, readBou(m_files.fixedVertices, static_cast<int>(volume.vertexOf.size())),
                             m_files.fixedVertices);
        if (!isHeld()) checkOneComponent(m_parts.mesh, m_files.mesh);
    }

    /// Coordinates C, s x 6, whose displacements T C come closest, in the mesh's mass, to its rigid motions.
    void findRigidCoordinates(const SparseMatrix& meshMass, const MatrixX& rigid) {
        const MatrixX MT = massProduct(meshMass, m_recovery);
        const MatrixX gram = m_recovery.transpose() * MT, right = MT.transpose() * rigid;
        m_rigid.resize(gram.rows(), 6);
        for (Eigen::Index j = 0; j < 6; ++j) m_rigid.col(j) = solveSymmetric(gram, right.col(j));
        const MatrixX rest = rigid - m_recovery * m_rigid;
        m_rigidError =
            std::sqrt(std::max(0.0, rest.cwiseProduct(massProduct(meshMass, rest)).colwise().sum().maxCoeff()));
    }

    /// The mesh gets the mass that M gives to a translation.
    void findMass() {
        FullModel mesh(m_parts.mesh);
        const MatrixX rigid = rigidModes(mesh);
        findRigidCoordinates(mesh.massMatrix(), rigid);
        if (m_rigidError > 1e-3 && !isHeld())
            throw Error(m_files.recovery,
                        "its displacements cannot move the mesh as a rigid body (" + shortNumber(m_rigidError) +
                            " of the motion is left over)",
                        "give the mesh that it was made for, in metres, or name held vertices");
        if (m_rigidError > 1e-3) {
            m_notes.push_back(m_files.recovery +
                              ": its coordinates hold no rigid motion, so the mesh keeps its own density");
        } else {
            const MatrixX ratio = m_rigid.transpose() * m_mass * m_rigid;  // the mesh's own would give the identity
            const double scale = ratio.topLeftCorner<3, 3>().trace() / 3.0;
            for (ElasticMaterial& material : m_parts.mesh.materials) material.density *= scale;
            const double error = (ratio / scale - MatrixX::Identity(6, 6)).cwiseAbs().maxCoeff();
            if (error > 0.02)
                m_notes.push_back(m_files.mass +
                                  ": centre of mass or inertia differ from those of the mesh with the same mass "
                                  "by up to " +
                                  shortNumber(100.0 * error) + " %; is the density the same everywhere?");
        }
        const FullModel scaled(m_parts.mesh);
        m_parts.mass = scaled.massMatrix();
        m_totalMass = scaled.totalMass();
    }

    /// Coordinates of what the component may do: all of a free one, those that leave held vertices where they are.
    MatrixX admissible() const {
        const Eigen::Index s = m_mass.rows();
        if (!isHeld()) return MatrixX::Identity(s, s);
        MatrixX held(3 * static_cast<Eigen::Index>(m_parts.fixedVertices.size()), s);
        for (std::size_t i = 0; i < m_parts.fixedVertices.size(); ++i)
            held.middleRows<3>(3 * static_cast<Eigen::Index>(i)) =
                m_recovery.middleRows<3>(3 * Eigen::Index(m_parts.fixedVertices[i]));
        const MatrixX N = nullSpace(held);
        if (N.cols() == 0) throw Error(m_files.fixedVertices, "nothing is left that could move", "hold fewer vertices");
        return N;
    }

    /// Adds 2 lambda_max in the directions of rigid motion, which so stand behind all elastic modes; eigenvectors stay.
    /// @return v'Kv of the rigid motion v, v'Mv = 1, that K resists most, (rad/s)^2
    double liftRigidMotion(MatrixX& K, const MatrixX& M) const {
        const double largest = symmetricEigen(K, M).values.maxCoeff();
        MatrixX rigid = m_rigid;
        MatrixX gram = rigid.transpose() * M * rigid;
        divideByFactor(gram, rigid);  // orthonormal in M
        const MatrixX moved = M * rigid;
        const double resisted = symmetricEigen(MatrixX(rigid.transpose() * K * rigid)).values.maxCoeff();
        K += (2.0 * largest) * moved * moved.transpose();
        return resisted;
    }

    /// Eigenvectors of K c = lambda M c among what the component may do.
    void makeModes() {
        const MatrixX N = admissible();
        MatrixX K = N.transpose() * m_stiffness * N;
        const MatrixX M = N.transpose() * m_mass * N;
        const Eigen::Index elastic = N.cols() - (isHeld() ? 0 : 6);
        if (elastic < 1) throw Error(m_files.mass, "it has no coordinates besides rigid motion", "keep more modes");
        const double resisted = isHeld() ? 0.0 : liftRigidMotion(K, M);
        const SymmetricEigen modes = symmetricEigen(K, M);
        checkStiffness(modes.values, resisted);
        const Eigen::Index r = chosen(elastic);
        m_parts.basis = m_recovery * (N * modes.vectors.leftCols(r));
        for (const int v : m_parts.fixedVertices) m_parts.basis.middleRows<3>(3 * Eigen::Index(v)).setZero();
        m_parts.eigenvalues = modes.values.head(r);
        m_parts.energy.linearStiffness = m_parts.eigenvalues.asDiagonal();
        const auto size = static_cast<std::size_t>(r);
        m_parts.energy.cubic.setZero(static_cast<Eigen::Index>(StrainEnergyPolynomial::cubicCount(size)));
        m_parts.energy.quartic.setZero(static_cast<Eigen::Index>(StrainEnergyPolynomial::quarticCount(size)));
    }

    /// @param values (rad/s)^2, ascending, rigid motion lifted  @param resisted by rigid motion, (rad/s)^2
    void checkStiffness(const VectorX& values, double resisted) const {
        const double least = values[0], rounding = 1e-11 * values.maxCoeff();
        if (least < -rounding)
            throw Error(m_files.stiffness, "it is not positive: an eigenvalue is " + shortNumber(least) + " (rad/s)^2",
                        "give the stiffness of a stable component, with all digits");
        if (least <= rounding)
            throw Error(m_files.stiffness,
                        std::string(isHeld() ? "the held vertices leave the component free to move"
                                             : "the component moves without resistance besides its rigid motion"),
                        isHeld() ? "hold three vertices or more that are in no line" : "is it of one piece?");
        if (resisted > 1e-3 * least)
            throw Error(m_files.stiffness,
                        "it resists rigid motion (" + shortNumber(std::sqrt(resisted) / (2.0 * M_PI)) +
                            " Hz, the lowest mode has " + shortNumber(std::sqrt(least) / (2.0 * M_PI)) + ")",
                        "write the matrix of the free component, with all digits, or name the held vertices");
    }

    /// How many of the modes are taken.
    Eigen::Index chosen(Eigen::Index count) {
        if (m_files.modes < 0 || m_files.modes > std::min<Eigen::Index>(count, mostModes))
            throw Error(m_files.stiffness, "has " + std::to_string(count) + " elastic modes, " +
                                               std::to_string(m_files.modes) + " are asked for; at most " +
                                               std::to_string(mostModes) + " are taken");
        if (m_files.modes > 0) return m_files.modes;
        if (count > modesByDefault)
            m_notes.push_back(m_files.stiffness + ": the first " + std::to_string(modesByDefault) + " of " +
                              std::to_string(count) + " modes are taken (--modes for others)");
        return std::min<Eigen::Index>(count, modesByDefault);
    }

    /// The mesh's material gets the stiffness that the modes have on average.
    void fitModulus() {
        VolumeMesh& mesh = m_parts.mesh;
        const double young = fittedYoungsModulus(mesh, m_parts.basis, m_parts.energy.linearStiffness);
        if (std::isfinite(young))
            for (ElasticMaterial& material : mesh.materials) material.youngsModulus = young;
        const ElasticMaterial& material = mesh.materials.front();
        m_notes.push_back(m_files.stiffness + ": a linear body of " + shortNumber(m_totalMass) + " kg, " +
                          std::to_string(m_parts.basis.cols()) + " modes from " +
                          shortNumber(std::sqrt(m_parts.eigenvalues[0]) / (2.0 * M_PI)) +
                          " Hz on; material of the mesh fitted to that: density " + shortNumber(material.density) +
                          " kg/m^3, E = " + shortNumber(material.youngsModulus) +
                          " Pa for nu = " + shortNumber(material.poissonRatio));
    }

    void describe() {
        m_parts.name = fs::path(m_files.mesh).stem().string();
        m_parts.options = "import=craig-bampton;modes=" + std::to_string(m_files.modes) +
                          ";scale=" + numberText(m_files.stiffnessScale);
        m_parts.files = {m_files.stiffness, m_files.mass, m_files.recovery, m_files.mesh};
        for (const std::string* path : {&m_files.surface, &m_files.fixedVertices})
            if (!path->empty()) m_parts.files.push_back(*path);
    }

    const CraigBamptonImport& m_files;
    const ProgressCallback& m_progress;
    ModelParts m_parts;
    MatrixX m_mass, m_stiffness;  ///< s x s
    MatrixX m_recovery;           ///< 3n x s, rows of the mesh's vertices
    MatrixX m_rigid;              ///< s x 6
    double m_rigidError = 0.0;    ///< in the mesh's mass, of a motion of length one
    double m_totalMass = 0.0;
    std::vector<std::string> m_notes;
};

/// The simulation mesh of a folder; empty where there is none.
std::string findComponentMesh(const std::string& folder) {
    std::string found;
    for (const fs::path& entry : files::listed(folder)) {
        const std::string path = entry.string();
        if (!isVolumeFile(path)) continue;
        if (!found.empty()) throw Error(folder, "there are several simulation meshes in this folder", "name one");
        found = path;
    }
    return found;
}

}  // namespace

ImportedModel importCraigBampton(const CraigBamptonImport& files, const ProgressCallback& progress) {
    return CraigBamptonImporter(files, progress).run();
}

void findCraigBamptonFiles(const std::string& folder, CraigBamptonImport& files) {
    const auto fill = [&](std::string& entry, const char* name) {
        const fs::path path = fs::path(folder) / name;
        std::error_code ignored;
        if (entry.empty() && fs::is_regular_file(path, ignored)) entry = path.string();
    };
    fill(files.mass, "mass.mtx");
    fill(files.stiffness, "stiffness.mtx");
    fill(files.recovery, "recovery.mtx");
    fill(files.surface, "surface.obj");
    fill(files.fixedVertices, "held.bou");
    if (files.mesh.empty()) files.mesh = findComponentMesh(folder);
}

bool isCraigBamptonFolder(const std::string& path) {
    std::error_code ignored;
    return fs::is_regular_file(fs::path(path) / "mass.mtx", ignored) &&
           fs::is_regular_file(fs::path(path) / "stiffness.mtx", ignored);
}

}  // namespace pliant
