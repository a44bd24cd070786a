// SPDX-License-Identifier: Zlib
#include "pliant/basis/ShapeSources.h"

#include <cmath>

#include "pliant/basis/BlockGramSchmidt.h"
#include "pliant/basis/CentrifugalShapes.h"
#include "pliant/basis/RigidModes.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

/// Appends columns, made of length 1 in M, with their weights; those of weight or length zero are left out.
void append(const MatrixX& columns, const VectorX& lengths, const VectorX& weights, WeightedShapes& shapes) {
    const Eigen::Index had = shapes.columns.cols();
    shapes.columns.conservativeResize(columns.rows(), had + columns.cols());
    shapes.weights.conservativeResize(had + columns.cols());
    Eigen::Index count = had;
    for (Eigen::Index j = 0; j < columns.cols(); ++j) {
        if (!(lengths[j] > 0.0) || !(weights[j] > 0.0)) continue;
        shapes.columns.col(count) = columns.col(j) / lengths[j];
        shapes.weights[count++] = weights[j];
    }
    if (count == shapes.columns.cols()) return;
    shapes.columns.conservativeResize(Eigen::NoChange, count);
    shapes.weights.conservativeResize(count);
}

VectorX massLengths(const SparseMatrix& M, const MatrixX& X) {
    return X.cwiseProduct(massProduct(M, X)).colwise().sum().cwiseSqrt().transpose();
}

}  // namespace

ShapeSources::ShapeSources(const FullModel& model, const BasisOptions& options, const ProgressCallback& progress,
                           StageCache* cache)
    : m_model(model),
      m_options(options),
      m_progress(progress),
      m_cache(cache),
      m_rigid(options.fixedVertices.empty() ? rigidModes(model) : MatrixX(model.degreesOfFreedom(), 0)) {}

const StaticCompliance& ShapeSources::compliance() {
    if (!m_compliance) m_compliance = std::make_unique<StaticCompliance>(m_model, m_options.fixedVertices);
    return *m_compliance;
}

/// Of several processes the first one makes these: all go on with what it has. (Machines that are not alike round
/// differently.)
ShapeSources::Matrices ShapeSources::ofFirst(const std::function<Matrices()>& make) const {
    const WorkShares& shares = m_options.shares;
    Matrices matrices;
    const MatrixX told = workOfFirst(shares, [&] {
        matrices = make();
        return MatrixX::Constant(1, 1, static_cast<double>(matrices.size()));
    });
    matrices.resize(static_cast<std::size_t>(told(0, 0)));
    for (MatrixX& matrix : matrices) matrix = workOfFirst(shares, [&] { return std::move(matrix); });
    return matrices;
}

template <typename Make>
ShapeSources::Matrices ShapeSources::stage(const std::string& name, const std::string& dependsOn, Maker maker,
                                           const Make& make) {
    reportProgress(m_progress, name, 0.0);
    Matrices matrices = ofFirst([&] {
        Matrices cached;
        if (m_cache) m_cache->find(name, dependsOn, cached);
        return cached;
    });
    if (!matrices.empty()) {
        reportProgress(m_progress, name, 1.0);
        return matrices;
    }
    if (maker == Maker::All)
        matrices = make();
    else
        matrices = ofFirst(make);
    if (m_cache) m_cache->keep(name, dependsOn, matrices);
    return matrices;
}

/// What the other processes do while the first one looks for modes: factor the stiffness, which they will need.
void ShapeSources::prepareOthers() {
    if (m_options.shares.own <= 0) return;
    try {
        compliance();
    } catch (const Error&) {
        // the first one fails alike, and tells all
    }
}

LinearModes ShapeSources::modes(WeightedShapes& shapes) {
    LinearModes all;
    if (m_options.modes == 0) return all;
    const std::string count = std::to_string(m_options.modes);
    prepareOthers();
    Matrices made = stage("linear modes", "count " + count, Maker::First, [&] {
        LinearModes modes = linearModes(compliance(), m_options.modes, m_progress);
        return Matrices{MatrixX(modes.eigenvalues), std::move(modes.shapes)};
    });
    all.eigenvalues = made[0].col(0);
    all.shapes = std::move(made[1]);
    m_keptModes = "count " + count;
    if (m_options.visibility.any()) {
        const std::vector<int> kept = visibleModes(all, m_options.visibility);
        shapes.hiddenModes = m_options.modes - static_cast<int>(kept.size());
        LinearModes visible{MatrixX(all.shapes.rows(), static_cast<Eigen::Index>(kept.size())),
                            VectorX(static_cast<Eigen::Index>(kept.size()))};
        m_keptModes += " of them";
        for (std::size_t j = 0; j < kept.size(); ++j) {
            visible.shapes.col(static_cast<Eigen::Index>(j)) = all.shapes.col(kept[j]);
            visible.eigenvalues[static_cast<Eigen::Index>(j)] = all.eigenvalues[kept[j]];
            m_keptModes += ' ' + std::to_string(kept[j]);
        }
        all = std::move(visible);
    }
    m_firstEigenvalue = all.eigenvalues[0];
    return all;
}

void ShapeSources::addDerivatives(const LinearModes& modes, WeightedShapes& shapes) {
    if (m_options.derivatives == DerivativeForm::None || modes.eigenvalues.size() == 0) return;
    const bool isStatic = m_options.derivatives == DerivativeForm::Static;
    const int k = static_cast<int>(modes.eigenvalues.size());
    const std::string form = std::to_string(static_cast<int>(m_options.derivatives));
    const Matrices made = stage("modal derivatives", m_keptModes + ", form " + form, Maker::All, [&] {
        return Matrices{
            (isStatic ? modalDerivatives(compliance(), modes.shapes, m_options.threads, m_progress, m_options.shares)
                      : shiftedModalDerivatives(compliance(), modes, m_options.derivatives, m_options.threads,
                                                m_progress, m_options.shares))
                .shapes};
    });
    const SparseMatrix& M = m_model.massMatrix();
    const VectorX lengths = massLengths(M, made[0]), &l = modes.eigenvalues;
    VectorX weights(lengths.size());
    Eigen::Index p = 0;
    for (int i = 0; i < k; ++i)
        for (int j = isStatic ? i : 0; j < k; ++j, ++p) {
            const bool noise = !(lengths[p] > m_options.derivativeThreshold * lengths.maxCoeff());
            weights[p] = noise ? 0.0 : l[0] * l[0] / (l[i] * l[j]);
            shapes.droppedDerivatives += noise;
        }
    append(made[0], lengths, weights, shapes);
}

void ShapeSources::addCentrifugal(WeightedShapes& shapes) {
    if (!m_options.centrifugal) return;
    const MatrixX made = stage("centrifugal shapes", "", Maker::First, [&] {
                             return Matrices{centrifugalShapes(compliance())};
                         }).front();
    const SparseMatrix& M = m_model.massMatrix();
    const SparseMatrix K = m_model.restStiffness();
    VectorX softness(made.cols());  // 1 / Rayleigh quotient: they count as modes of the same stiffness do
    for (Eigen::Index j = 0; j < made.cols(); ++j)
        softness[j] = made.col(j).dot(M * made.col(j)) / made.col(j).dot(K * made.col(j));
    const double reference = m_firstEigenvalue > 0.0 ? m_firstEigenvalue : 1.0 / softness.maxCoeff();
    append(made, massLengths(M, made), reference * softness, shapes);
}

void ShapeSources::addSketch(WeightedShapes& shapes) {
    if (m_options.sketch.empty()) return;
    const MatrixX made = stage("sketch", describeSketch(m_options.sketch, m_options.sketchOptions), Maker::All, [&] {
                             return Matrices{sketchShapes(compliance(), m_options.sketch, m_options.sketchOptions,
                                                          m_progress, m_options.shares)};
                         }).front();
    const VectorX lengths = massLengths(m_model.massMatrix(), made);
    append(made, lengths, lengths / lengths.maxCoeff(), shapes);
}

void ShapeSources::addSnapshots(WeightedShapes& shapes) {
    if (!m_options.snapshots) return;
    const MatrixX made =
        stage("snapshots", describeSnapshots(*m_options.snapshots), Maker::First, [&] {
            return Matrices{snapshotShapes(m_model, m_options.fixedVertices, *m_options.snapshots, m_progress)};
        }).front();
    const VectorX lengths = massLengths(m_model.massMatrix(), made);
    append(made, lengths, lengths / lengths.maxCoeff(), shapes);
}

WeightedShapes ShapeSources::collect() {
    WeightedShapes shapes;
    LinearModes linear = modes(shapes);
    shapes.elasticEigenvalues = linear.eigenvalues;
    shapes.inOrder = linear.eigenvalues.size();
    if (shapes.inOrder > 0)
        append(linear.shapes, massLengths(m_model.massMatrix(), linear.shapes),
               linear.eigenvalues[0] * linear.eigenvalues.cwiseInverse(), shapes);
    addDerivatives(linear, shapes);
    addCentrifugal(shapes);
    addSketch(shapes);
    addSnapshots(shapes);
    m_compliance.reset();  // its factors are the largest thing in memory
    if (shapes.columns.cols() == 0)
        throw Error("basis", "no shapes were asked for", "ask for modes, a sketch or snapshots");
    return shapes;
}

}  // namespace pliant
