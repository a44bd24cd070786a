// SPDX-License-Identifier: Zlib
#include "pliant/character/FullForcing.h"

#include <set>
#include <utility>

namespace pliant {
namespace {

/// w_bone at every vertex, n.
VectorX fieldOf(const SkinWeights& weights, int bone) {
    VectorX field = VectorX::Zero(weights.pointCount());
    for (Eigen::Index v = 0; v < field.size(); ++v)
        for (Eigen::Index i = 0; i < 4; ++i)
            if (weights.bones(i, v) == bone) field[v] += weights.weights(i, v);
    return field;
}

/// Pairs whose weights are both above zero in an element, in both orders, ascending.
Matrix<int, 2, Eigen::Dynamic> pairsOf(const VolumeMesh& mesh, const SkinWeights& weights) {
    std::set<std::pair<int, int>> all;
    for (Eigen::Index e = 0; e < mesh.elements.cols(); ++e) {
        std::set<int> here;
        for (Eigen::Index a = 0; a < mesh.elements.rows(); ++a)
            for (Eigen::Index i = 0; i < 4; ++i)
                if (weights.weights(i, mesh.elements(a, e)) > 0.0) here.insert(weights.bones(i, mesh.elements(a, e)));
        for (const int b : here)
            for (const int c : here) all.emplace(b, c);
    }
    Matrix<int, 2, Eigen::Dynamic> pairs(2, static_cast<Eigen::Index>(all.size()));
    Eigen::Index p = 0;
    for (const auto& [b, c] : all) pairs.col(p++) << b, c;
    return pairs;
}

/// M of one axis, n x n.
SparseMatrix scalarMass(const SparseMatrix& M) {
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index j = 0; j < M.cols(); j += 3)
        for (SparseMatrix::InnerIterator it(M, j); it; ++it)
            if (it.row() % 3 == 0)
                entries.emplace_back(static_cast<int>(it.row() / 3), static_cast<int>(j / 3), it.value());
    SparseMatrix result(M.rows() / 3, M.cols() / 3);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
}

/// Appends columns that are mostly zero, one after the other.
class ColumnWriter {
public:
    ColumnWriter(Eigen::Index rows, Eigen::Index columns) : m_matrix(rows, columns) {}
    void add(Eigen::Index column, const VectorX& values, Eigen::Index step = 1, Eigen::Index offset = 0) {
        m_matrix.startVec(column);
        for (Eigen::Index i = 0; i < values.size(); ++i)
            if (values[i] != 0.0) m_matrix.insertBack(step * i + offset, column) = values[i];
    }
    SparseMatrix finish() {
        m_matrix.finalize();
        return std::move(m_matrix);
    }

private:
    SparseMatrix m_matrix;
};

/// x_k of the vertices, or ones.
VectorX coordinate(const Points& positions, Eigen::Index k) {
    return k < 3 ? VectorX(positions.row(k).transpose()) : VectorX(VectorX::Ones(positions.cols()));
}

SparseMatrix inertiaLoads(const FullModel& model, const SkinWeights& weights,
                          const Matrix<int, 2, Eigen::Dynamic>& pairs) {
    const SparseMatrix mass = scalarMass(model.massMatrix());
    const Points& X = model.mesh().positions;
    ColumnWriter writer(3 * X.cols(), 12 * pairs.cols());
    for (Eigen::Index p = 0; p < pairs.cols(); ++p) {
        const VectorX both = fieldOf(weights, pairs(0, p)).cwiseProduct(fieldOf(weights, pairs(1, p)));
        for (Eigen::Index k = 0; k < 4; ++k) {
            const VectorX load = mass * both.cwiseProduct(coordinate(X, k));
            for (Eigen::Index i = 0; i < 3; ++i) writer.add(12 * p + 3 * k + i, load, 3, i);
        }
    }
    return writer.finish();
}

/// Stiffness of every element at rest.
std::vector<ElementMatrix> elementStiffnesses(const FullModel& model) {
    const VolumeMesh& mesh = model.mesh();
    std::vector<ElementMatrix> all(static_cast<std::size_t>(mesh.elementCount()));
    std::vector<ElementPoint> points;
    const CornerVectors rest = CornerVectors::Zero(3, mesh.elements.rows());
    for (int e = 0; e < mesh.elementCount(); ++e) {
        elementPoints(mesh, e, points, GaussRule::Cubic);
        elementStiffness(points, model.law(e), rest, all[static_cast<std::size_t>(e)], mesh.bending(e));
    }
    return all;
}

/// The twelve columns S_b (w_c e_i x_k), 3n x 12.
MatrixX stiffnessLoads(const VolumeMesh& mesh, const std::vector<ElementMatrix>& K, const VectorX& wb,
                       const VectorX& wc) {
    const Eigen::Index corners = mesh.elements.rows();
    MatrixX loads = MatrixX::Zero(3 * mesh.positions.cols(), 12);
    Eigen::Matrix<double, 24, 12> field, force;
    for (Eigen::Index e = 0; e < mesh.elements.cols(); ++e) {
        double share = 0.0, other = 0.0;
        for (Eigen::Index a = 0; a < corners; ++a) {
            share += wb[mesh.elements(a, e)] / static_cast<double>(corners);
            other += wc[mesh.elements(a, e)];
        }
        if (share == 0.0 || other == 0.0) continue;
        field.setZero();
        for (Eigen::Index a = 0; a < corners; ++a)
            for (Eigen::Index k = 0; k < 4; ++k)
                for (Eigen::Index i = 0; i < 3; ++i)
                    field(3 * a + i, 3 * k + i) =
                        wc[mesh.elements(a, e)] * (k < 3 ? mesh.positions(k, mesh.elements(a, e)) : 1.0);
        force.topRows(3 * corners).noalias() = share * (K[static_cast<std::size_t>(e)] * field.topRows(3 * corners));
        for (Eigen::Index a = 0; a < corners; ++a)
            loads.middleRows<3>(3 * mesh.elements(a, e)) += force.middleRows<3>(3 * a);
    }
    return loads;
}

SparseMatrix poseLoads(const FullModel& model, const SkinWeights& weights,
                       const Matrix<int, 2, Eigen::Dynamic>& pairs) {
    const std::vector<ElementMatrix> K = elementStiffnesses(model);
    ColumnWriter writer(model.degreesOfFreedom(), 12 * pairs.cols());
    for (Eigen::Index p = 0; p < pairs.cols(); ++p) {
        MatrixX loads = MatrixX::Zero(model.degreesOfFreedom(), 12);
        if (pairs(0, p) != pairs(1, p))
            loads = stiffnessLoads(model.mesh(), K, fieldOf(weights, pairs(0, p)), fieldOf(weights, pairs(1, p)));
        for (Eigen::Index c = 0; c < 12; ++c) writer.add(12 * p + c, loads.col(c));
    }
    return writer.finish();
}

}  // namespace

FullForcing fullForcing(const FullModel& model, const SkinWeights& weights) {
    FullForcing forcing;
    forcing.pairs = pairsOf(model.mesh(), weights);
    forcing.inertia = inertiaLoads(model, weights, forcing.pairs);
    forcing.pose = poseLoads(model, weights, forcing.pairs);
    return forcing;
}

}  // namespace pliant
