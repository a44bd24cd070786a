// SPDX-License-Identifier: Zlib
#include "pliant/fem/HessianProducts.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace pliant {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

/// Pairs of one piece of parallel work. Each product is one column, summed over the elements in their order, so neither
/// this number nor that of the threads touches the bits.
constexpr std::size_t pairsPerBlock = 32;

struct Scratch {
    std::vector<ElementPoint> points;
    std::vector<CornerVectors> corners;     // k: psi_i at the element's corners
    std::vector<Matrix3> gradient, stress;  // k: at one point
    std::vector<BentGradient> bent;         // k: of bricks with an assumed strain
    std::vector<CornerVectors> force;       // of each pair
};

void elementProducts(const FullModel& model, const MatrixX& psi, const Pairs& pairs, std::size_t begin, std::size_t end,
                     int element, Scratch& s) {
    const VolumeMesh& mesh = model.mesh();
    const ElasticLaw& law = model.law(element);
    const std::size_t k = static_cast<std::size_t>(psi.cols());
    elementPoints(mesh, element, s.points, GaussRule::Cubic);
    for (std::size_t i = 0; i < k; ++i)
        s.corners[i] = cornerVectors(mesh, element, psi.col(static_cast<Eigen::Index>(i)).data());
    for (CornerVectors& force : s.force) force.setZero(3, mesh.elements.rows());
    if (mesh.kind == ElementKind::Brick && !mesh.bending(element).plain()) {
        const BrickBending bending = mesh.bending(element);
        s.bent.clear();
        for (std::size_t i = 0; i < k; ++i) s.bent.push_back(bentGradient(s.points, law, s.corners[i], bending));
        for (std::size_t p = begin; p < end; ++p)
            s.force[p - begin] = bentHessianProduct(s.points, law, s.bent[static_cast<std::size_t>(pairs[p].first)],
                                                    s.bent[static_cast<std::size_t>(pairs[p].second)], bending);
        return;
    }
    for (const ElementPoint& point : s.points) {
        for (std::size_t i = 0; i < k; ++i) {
            s.gradient[i] = s.corners[i].lazyProduct(point.gradients);
            s.stress[i] = stressOf(law, 0.5 * (s.gradient[i] + s.gradient[i].transpose()));
        }
        const CornerVectors weighted = point.weight * point.gradients.transpose();
        for (std::size_t p = begin; p < end; ++p) {
            const std::size_t i = static_cast<std::size_t>(pairs[p].first);
            const std::size_t j = static_cast<std::size_t>(pairs[p].second);
            const Matrix3 P = secondPiolaDerivative(law, s.gradient[i], s.stress[i], s.gradient[j], s.stress[j]);
            s.force[p - begin].noalias() += P.lazyProduct(weighted);
        }
    }
}

}  // namespace

MatrixX hessianProducts(const FullModel& model, const MatrixX& psi, const Pairs& pairs, int threads) {
    MatrixX products = MatrixX::Zero(psi.rows(), static_cast<Eigen::Index>(pairs.size()));
    const VolumeMesh& mesh = model.mesh();
    const std::size_t k = static_cast<std::size_t>(psi.cols());
    const std::size_t blocks = (pairs.size() + pairsPerBlock - 1) / pairsPerBlock;
    const auto runBlock = [&](std::size_t block) {
        const std::size_t begin = block * pairsPerBlock;
        const std::size_t end = std::min(pairs.size(), begin + pairsPerBlock);
        Scratch scratch;
        scratch.corners.resize(k);
        scratch.gradient.resize(k);
        scratch.stress.resize(k);
        scratch.force.resize(end - begin);
        for (int e = 0; e < mesh.elementCount(); ++e) {
            elementProducts(model, psi, pairs, begin, end, e, scratch);
            for (std::size_t p = begin; p < end; ++p)
                for (Eigen::Index c = 0; c < mesh.elements.rows(); ++c)
                    products.block<3, 1>(3 * mesh.elements(c, e), static_cast<Eigen::Index>(p)) +=
                        scratch.force[p - begin].col(c);
        }
    };
    const int cores = tbb::info::default_concurrency();  // asking TBB for more makes it print
    tbb::task_arena arena(threads > 0 ? std::min(threads, cores) : cores);
    arena.execute([&] { tbb::parallel_for(std::size_t{0}, blocks, runBlock); });
    return products;
}

}  // namespace pliant
