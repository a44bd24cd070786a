// SPDX-License-Identifier: Zlib
#include "pliant/reduce/EstimateCost.h"

#include <algorithm>
#include <vector>

#include "pliant/fem/SymmetricSolver.h"

namespace pliant {
namespace {

// What a core of about 50 GFLOP/s reaches in each kind of work; measured on solid bodies of 9,900 to 48,000 bricks.
constexpr double factorRate = 18e9;         // flop/s, sparse factorisation
constexpr double denseRate = 25e9;          // flop/s, products and orthogonalisation of tall matrices
constexpr double polynomialRate = 35e9;     // flop/s, symmetric products
constexpr double solveRate = 1.5e9;         // flop/s, one right-hand side at a time
constexpr double lanczosRate = 6e9;         // flop/s, four right-hand sides
constexpr double blockRate = 12e9;          // flop/s, many right-hand sides
constexpr double hessianSeconds = 1e-6;     // a pair of modes and a brick; a tetrahedron is a twentieth
constexpr double contactSeconds = 3e-4;     // skeleton and trees, a brick
constexpr double assemblySeconds = 1.5e-4;  // stiffness and force of a brick

/// Vertices that share an element: each stands for 3 x 3 entries of the stiffness.
SparseMatrix vertexGraph(const VolumeMesh& mesh, const std::vector<int>& fixedVertices) {
    const Eigen::Index n = mesh.vertexCount();
    std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(n));
    std::vector<int> number(static_cast<std::size_t>(n), 0);
    for (const int v : fixedVertices) number[static_cast<std::size_t>(v)] = -1;
    int count = 0;
    for (int& v : number) v = v < 0 ? -1 : count++;
    for (Eigen::Index e = 0; e < mesh.elements.cols(); ++e)
        for (Eigen::Index a = 0; a < mesh.elements.rows(); ++a)
            for (Eigen::Index b = 0; b < mesh.elements.rows(); ++b) {
                const int i = number[static_cast<std::size_t>(mesh.elements(a, e))];
                const int j = number[static_cast<std::size_t>(mesh.elements(b, e))];
                if (i >= 0 && j >= 0) neighbours[static_cast<std::size_t>(i)].push_back(j);
            }
    SparseMatrix graph(count, count);
    Eigen::VectorXi sizes(count);
    for (int i = 0; i < count; ++i) {
        std::vector<int>& list = neighbours[static_cast<std::size_t>(i)];
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        sizes[i] = static_cast<int>(list.size());
    }
    graph.reserve(sizes);
    for (int i = 0; i < count; ++i)
        for (const int j : neighbours[static_cast<std::size_t>(i)]) graph.insert(j, i) = 1.0;
    graph.makeCompressed();
    return graph;
}

struct Shapes {
    double modes = 0.0, derivatives = 0.0, others = 0.0;
    double total() const { return modes + derivatives + others; }
};

Shapes countShapes(const ReduceOptions& o) {
    Shapes shapes;
    shapes.modes = o.modes;
    const double k = o.modes;
    if (o.derivatives == DerivativeForm::Static) shapes.derivatives = k * (k + 1.0) / 2.0;
    if (o.derivatives == DerivativeForm::Shifted || o.derivatives == DerivativeForm::ShiftedMinres)
        shapes.derivatives = k * k;
    shapes.others = (o.centrifugal ? 6.0 : 0.0) + static_cast<double>(o.sketch.size()) * o.sketchOptions.loadSteps +
                    (o.snapshots ? o.snapshots->count : 0);
    return shapes;
}

}  // namespace

CostEstimate estimateCost(const VolumeMesh& mesh, const std::vector<int>& fixedVertices, const ReduceOptions& options) {
    const SparseMatrix graph = vertexGraph(mesh, fixedVertices);
    const SymmetricSolver::Cost scalar = SymmetricSolver::estimate(graph);
    const double entries = 9.0 * scalar.entries, flops = 27.0 * scalar.flops;
    const double N = 3.0 * mesh.vertexCount(), bricks = mesh.kind == ElementKind::Brick ? 1.0 : 0.05;
    const double elements = bricks * mesh.elementCount(), r = options.dimension;
    const Shapes shapes = countShapes(options);
    const double assembly = elements * assemblySeconds, factor = flops / factorRate, solve = 4.0 * entries;

    double seconds = 2.0 * assembly;
    if (shapes.modes > 0.0)
        seconds += 2.0 * factor + 4.5 * (shapes.modes + 6.0) * solve / lanczosRate;  // Sturm count, Lanczos
    seconds += shapes.derivatives * (elements * hessianSeconds + solve / blockRate);
    if (options.derivatives == DerivativeForm::Shifted) seconds += shapes.modes * factor;
    if (options.derivatives == DerivativeForm::ShiftedMinres) seconds += 30.0 * shapes.derivatives * solve / solveRate;
    seconds += 6.0 * static_cast<double>(options.sketch.size()) * options.sketchOptions.loadSteps * (assembly + factor);
    if (options.snapshots)
        seconds += 3.0 * options.snapshots->duration / options.snapshots->timeStep * (assembly + factor);
    seconds += 10.0 * N * shapes.total() * shapes.total() / denseRate;  // mass-PCA
    const double columns = r + r * (r + 1.0) / 2.0;
    seconds += (bricks == 1.0 ? 82.0 : 120.0) * elements * columns * columns / polynomialRate;
    seconds += contactSeconds * elements;

    CostEstimate estimate;
    estimate.elements = mesh.elementCount();
    estimate.unknowns = 3LL * graph.cols();
    estimate.seconds = seconds;
    estimate.factorBytes = 8.0 * entries;
    const double matrices = 9.0 * static_cast<double>(graph.nonZeros()) * 12.0 * 4.0;  // pattern, K, M, restricted K
    const double columnsBytes = 8.0 * N * shapes.total();
    const double whileSolving = 2.6 * estimate.factorBytes + 2.0 * columnsBytes;
    estimate.bytes =
        static_cast<std::size_t>(matrices + std::max(whileSolving, 4.0 * columnsBytes) + 6.0 * r * r * r * r + 5e7);
    return estimate;
}

}  // namespace pliant
