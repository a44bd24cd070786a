// SPDX-License-Identifier: Zlib
#include "pliant/exchange/ImportVega.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "pliant/exchange/AssembleModel.h"
#include "pliant/exchange/FitBasis.h"
#include "pliant/exchange/ShortNumber.h"
#include "pliant/exchange/VegaFiles.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/FileExtension.h"
#include "pliant/mesh/MeshTopology.h"
#include "pliant/mesh/ObjText.h"
#include "pliant/mesh/ReadSurface.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/mesh/ReadVolume.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/voxels/Voxelise.h"

namespace pliant {
namespace {

constexpr double radiansPerTurn = 6.283185307179586;

std::string percent(double share) {
    return shortNumber(100.0 * share) + " %";
}

class VegaImporter {
public:
    VegaImporter(const VegaImport& files, const ProgressCallback& progress) : m_files(files), m_progress(progress) {}

    ImportedModel run() {
        checkFiles();
        reportProgress(m_progress, "mesh", 0.0);
        readEnergy();
        readSurfaceAndMesh();
        reportProgress(m_progress, "mesh", 1.0);
        readBasis();
        chooseMaterial();
        readFrequencies();
        describe();
        m_parts.mass = FullModel(m_parts.mesh).massMatrix();
        chooseHeld();
        ImportedModel result;
        result.model = assembleModel(std::move(m_parts), m_progress, m_notes);
        result.notes = std::move(m_notes);
        return result;
    }

private:
    void checkFiles() const {
        if (m_files.basis.empty() && m_files.renderingBasis.empty())
            throw Error(m_files.cub, "there is no basis with it", "give a .U or a .URendering.float");
        if (!m_files.basis.empty() && m_files.mesh.empty())
            throw Error(m_files.basis, "a .U belongs to a simulation mesh", "give that mesh (.veg)");
        if (m_files.basis.empty() && lowerExtension(m_files.surface) != ".obj")
            throw Error(m_files.renderingBasis, "a rendering basis belongs to a surface", "give that surface (.obj)");
        if (!(std::isfinite(m_files.stiffnessScale) && m_files.stiffnessScale > 0.0))
            throw Error("", "the stiffness is scaled by " + numberText(m_files.stiffnessScale),
                        "give a positive number");
    }

    void readEnergy() {
        m_parts.energy = readCub(m_files.cub);
        m_parts.energy.linearStiffness *= m_files.stiffnessScale;
        m_parts.energy.cubic *= m_files.stiffnessScale;
        m_parts.energy.quartic *= m_files.stiffnessScale;
    }

    void note(const std::vector<std::string>& more) { m_notes.insert(m_notes.end(), more.begin(), more.end()); }

    void readSurfaceAndMesh() {
        if (!m_files.surface.empty()) {
            SurfaceFile file = readSurface(m_files.surface);
            note(file.notes);
            m_parts.surface = std::move(file.mesh);
        }
        if (m_files.mesh.empty()) {
            VoxeliseOptions options;
            options.resolution = m_files.voxels;
            options.solid = m_files.solid;
            m_volume.mesh = voxelise(m_parts.surface, options);
            for (int v = 0; v < m_volume.mesh.vertexCount(); ++v) m_volume.vertexOf.push_back(v);
            m_volume.hasMaterials = false;
        } else {
            m_volume = readVolume(m_files.mesh);
            note(m_volume.notes);
        }
        m_parts.mesh = m_volume.mesh;
        if (m_files.surface.empty()) m_parts.surface = boundarySurface(m_parts.mesh);
    }

    void requireDimension(const MatrixX& matrix, const std::string& path) const {
        const int r = m_parts.energy.dimension();
        if (matrix.cols() != r)
            throw Error(path,
                        "its basis has r = " + std::to_string(matrix.cols()) + ", " + m_files.cub +
                            " has r = " + std::to_string(r),
                        "give files of one model");
    }

    void readBasis() {
        if (!m_files.fixedVertices.empty())
            m_parts.fixedVertices =
                meshVertices(m_volume, readBou(m_files.fixedVertices, static_cast<int>(m_volume.vertexOf.size())),
                             m_files.fixedVertices);
        if (m_files.basis.empty()) {
            fitToRendering();
        } else {
            const MatrixX U = readVegaMatrix(m_files.basis);
            requireDimension(U, m_files.basis);
            m_parts.basis = rowsOfMesh(U, m_volume.vertexOf, m_parts.mesh.vertexCount(), m_files.basis);
            if (!m_files.renderingBasis.empty()) compareWithRendering();
        }
    }

    /// Without a .bou: the vertices that the basis does not move. Where bricks stand in for an unknown mesh none is
    /// quite at rest; a basis that carries momentum is that of a held body all the same, and what moves least is held.
    void chooseHeld() {
        if (m_files.fixedVertices.empty()) {
            m_parts.fixedVertices = heldVertices(m_parts.basis, m_files.basis.empty() ? 1e-5 : 1e-12);
            // Where bricks stand in for an unknown mesh, nothing is held to the last digit.
            for (double share = 0.01; m_files.mesh.empty() && m_parts.fixedVertices.empty() &&
                                      slidingShare(m_parts.mass, m_parts.basis) > 0.05;
                 share *= 2.0)
                m_parts.fixedVertices = heldVertices(m_parts.basis, share);
            if (!m_parts.fixedVertices.empty())
                m_notes.push_back(m_files.cub + ": " + std::to_string(m_parts.fixedVertices.size()) +
                                  " vertices that the basis hardly moves are taken as held");
        }
        if (m_parts.fixedVertices.empty()) checkOneComponent(m_parts.mesh, m_files.mesh);
    }

    /// Rows at the v lines of the surface, in the file's order.
    Points renderingVertices(const MatrixX& U) const {
        const std::vector<Vector3> x = checkObjText(readTextFile(m_files.surface), m_files.surface).positions;
        if (U.rows() != 3 * static_cast<Eigen::Index>(x.size()))
            throw Error(m_files.renderingBasis,
                        "it has " + std::to_string(U.rows()) + " rows, that is " + std::to_string(U.rows() / 3) +
                            " vertices, " + m_files.surface + " has " + std::to_string(x.size()),
                        "give the surface that it was made for");
        Points positions(3, static_cast<Eigen::Index>(x.size()));
        for (std::size_t v = 0; v < x.size(); ++v) positions.col(static_cast<Eigen::Index>(v)) = x[v];
        return positions;
    }

    void fitToRendering() {
        const MatrixX U = readVegaMatrix(m_files.renderingBasis);
        requireDimension(U, m_files.renderingBasis);
        const FittedBasis fit = fitBasis(m_parts.mesh, renderingVertices(U), U, m_parts.fixedVertices);
        m_parts.basis = fit.basis;
        m_notes.push_back(m_files.renderingBasis + ": the basis of the simulation mesh is fitted to it; " +
                          percent(fit.residual) + " of the motion is left over");
    }

    void compareWithRendering() {
        const MatrixX U = readVegaMatrix(m_files.renderingBasis);
        requireDimension(U, m_files.renderingBasis);
        if (lowerExtension(m_files.surface) != ".obj") return;
        const MatrixX embedded = interpolateBasis(embed(m_parts.mesh, renderingVertices(U)), m_parts.basis);
        const double difference = (embedded - U).norm() / U.norm();
        if (difference > 1e-5)
            m_notes.push_back(m_files.renderingBasis + ": differs from " + m_files.basis + " on the surface by " +
                              percent(difference) + "; the surface follows " + m_files.basis);
    }

    /// Constants that no file gives: from the caller, or those that fit the basis and its stiffness.
    void chooseMaterial() {
        VolumeMesh& mesh = m_parts.mesh;
        if (m_volume.hasMaterials) return;
        const double density = m_files.density.value_or(fittedDensity(mesh, m_parts.basis));
        for (ElasticMaterial& material : mesh.materials) {
            material.density = density;
            material.poissonRatio = m_files.poissonRatio.value_or(material.poissonRatio);
        }
        const double fitted = fittedYoungsModulus(mesh, m_parts.basis, m_parts.energy.linearStiffness);
        const double young =
            m_files.youngsModulus.value_or(std::isfinite(fitted) ? fitted : mesh.materials.front().youngsModulus);
        for (ElasticMaterial& material : mesh.materials) material.youngsModulus = young;
        m_notes.push_back(m_files.cub + ": material of the mesh: density " + shortNumber(density) + " kg/m^3" +
                          (m_files.density ? "" : " (fitted to U'MU = 1)") + ", E = " + shortNumber(young) + " Pa" +
                          (m_files.youngsModulus ? "" : " (fitted to the stiffness)"));
    }

    void readFrequencies() {
        if (m_files.frequencies.empty()) return;
        const MatrixX hertz = readVegaMatrix(m_files.frequencies);
        if (hertz.cols() != 1 || hertz.minCoeff() < 0.0)
            throw Error(m_files.frequencies, "is no list of frequencies", "give a .freq of Vega");
        m_parts.eigenvalues = (radiansPerTurn * hertz.col(0)).array().square();
        std::sort(m_parts.eigenvalues.begin(), m_parts.eigenvalues.end());
    }

    void describe() {
        m_parts.name = std::filesystem::path(m_files.cub).stem().string();
        m_parts.options = "import=vega;scale=" + numberText(m_files.stiffnessScale) +
                          ";voxels=" + std::to_string(m_files.voxels) + ";solid=" + (m_files.solid ? "1" : "0");
        if (m_files.youngsModulus) m_parts.options += ";young=" + numberText(*m_files.youngsModulus);
        if (m_files.poissonRatio) m_parts.options += ";poisson=" + numberText(*m_files.poissonRatio);
        if (m_files.density) m_parts.options += ";density=" + numberText(*m_files.density);
        for (const std::string* path : {&m_files.cub, &m_files.basis, &m_files.renderingBasis, &m_files.surface,
                                        &m_files.mesh, &m_files.frequencies, &m_files.fixedVertices})
            if (!path->empty()) m_parts.files.push_back(*path);
    }

    const VegaImport& m_files;
    const ProgressCallback& m_progress;
    ModelParts m_parts;
    VolumeFile m_volume;
    std::vector<std::string> m_notes;
};

}  // namespace

ImportedModel importVega(const VegaImport& files, const ProgressCallback& progress) {
    return VegaImporter(files, progress).run();
}

void findVegaFiles(VegaImport& files) {
    const std::filesystem::path cub(files.cub);
    const std::filesystem::path stem = cub.parent_path() / cub.stem();
    const auto take = [&](std::string& entry, const char* ending) {
        std::error_code ignored;
        const std::string path = stem.string() + ending;
        if (entry.empty() && std::filesystem::is_regular_file(path, ignored)) entry = path;
    };
    take(files.mesh, ".veg");
    if (!files.mesh.empty()) take(files.basis, ".U");
    take(files.renderingBasis, ".URendering.float");
    take(files.surface, "_render.obj");
    take(files.surface, ".obj");
    take(files.frequencies, ".freq");
    take(files.fixedVertices, ".bou");
}

}  // namespace pliant
