// SPDX-License-Identifier: Zlib
// Beyond the paper's one iteration: the regions' common energy V, of which an iteration is one step of the weighted
// Schwarz method, by conjugate gradients with that step, made symmetric, as preconditioner; and constraints inside of
// the flesh, which would not survive the blend.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "pliant/runtime/lattice/BatchData.h"

namespace pliant {
namespace {

/// R' of each point.
VectorX turnedBack(const Points& points, const std::vector<int>& functions, const Matrix3& R) {
    VectorX local(3 * static_cast<Eigen::Index>(functions.size()));
    for (std::size_t k = 0; k < functions.size(); ++k)
        local.segment<3>(3 * static_cast<Eigen::Index>(k)) = R.transpose() * points.col(functions[k]);
    return local;
}

/// M of one axis on all three.
VectorX massTimes(const SparseMatrixX& mass, const VectorX& x) {
    const Eigen::Map<const Points> points(x.data(), 3, x.size() / 3);
    const Points product = (mass * points.transpose()).transpose();
    return Eigen::Map<const VectorX>(product.data(), product.size());
}

}  // namespace

/// The energy's own forces on the velocity change: for each region R (K y + M z) with y, z in its axes.
class CommonEnergy {
public:
    CommonEnergy(const LatticeBatchData& data, const LatticeBody& body) : m_data(data), m_body(body) {}

    /// (M + h C + h^2 K) x on free functions.
    Points product(const Points& x) const {
        const LatticeRates& rates = m_data.rates;
        return gather([&](const LatticeRegion&, const MovingFrame&, const Matrix3&, const VectorX& local, VectorX& y,
                          VectorX& z) { y = rates.stiffnessFactor() * local, z = rates.massFactor() * local; },
                      x);
    }

    /// h f - (what a change of the velocity meets), on free functions.
    Points residual(const Points& change, const Vector3& gravity) const {
        const LatticeRates& rates = m_data.rates;
        const Points velocity = m_body.v + change;
        Points force = gather(
            [&](const LatticeRegion& region, const MovingFrame& bone, const Matrix3& R, const VectorX& local,
                VectorX& y, VectorX& z) {
                const std::vector<int>& f = region.shared.functions;
                const VectorX v = turnedBack(velocity, f, R);
                VectorX offset(local.size()), slip(local.size());
                for (std::size_t k = 0; k < f.size(); ++k) {
                    const Vector3 r = m_data.model->rest.col(f[k]);
                    const double u = m_data.model->unit[f[k]];
                    const auto at = 3 * static_cast<Eigen::Index>(k);
                    offset.segment<3>(at) = R.transpose() * (m_body.p.col(f[k]) - mapped(bone.map, r, u));
                    slip.segment<3>(at) = v.segment<3>(at) - R.transpose() * mapped(bone.velocity, r, u);
                }
                y = rates.h * offset + rates.h * rates.h * v + rates.stiffnessDamping * slip;
                z = local + rates.massDamping * slip;
            },
            change);
        Points residual = rates.h * (m_body.impulse + gravity * m_data.model->weight.transpose()) - force;
        clearHeld(residual);
        return residual;
    }

    void clearHeld(Points& points) const {
        for (std::size_t a = 0; a < m_body.isFree.size(); ++a)
            if (!m_body.isFree[a]) points.col(static_cast<Eigen::Index>(a)).setZero();
    }

private:
    template <class Terms>
    Points gather(const Terms& terms, const Points& x) const {
        Points sum = Points::Zero(3, x.cols());
        VectorX y, z;
        for (std::size_t i = 0; i < m_data.model->regions.size(); ++i) {
            const LatticeRegion& region = m_data.model->regions[i];
            const MovingFrame& bone = m_body.bones[static_cast<std::size_t>(region.bone)];
            const Matrix3 R = BoneAxes(bone).R;
            terms(region, bone, R, turnedBack(x, region.shared.functions, R), y, z);
            const VectorX local = m_data.shared.K[i] * y + massTimes(region.shared.mass, z);
            for (std::size_t k = 0; k < region.shared.functions.size(); ++k)
                sum.col(region.shared.functions[k]) += R * local.segment<3>(3 * static_cast<Eigen::Index>(k));
        }
        clearHeld(sum);
        return sum;
    }

    const LatticeBatchData& m_data;
    const LatticeBody& m_body;
};

void LatticeBatchData::response(const LatticeBody& body, const Points& impulses, Points& changes) const {
    changes.setZero(3, model->functionCount());
    if (!body.systems) return;  // before the first step
    const LatticeSystems& own = *body.systems;
    kernels::AlignedArray<double> right, solution;
    for (std::size_t i = 0; i < own.regions.size(); ++i) {
        const RegionSystem& system = *own.regions[i];
        const RegionView view = system.view();
        const Matrix3 R = BoneAxes(body.bones[static_cast<std::size_t>(model->regions[i].bone)]).R;
        if (right.size() < static_cast<std::size_t>(view.inverseRows)) {
            right.resize(static_cast<std::size_t>(view.inverseRows));
            solution.resize(static_cast<std::size_t>(view.inverseRows));
        }
        const auto root = [&](int row) { return std::sqrt(view.blend[view.freeLocal[row]]); };
        const auto solve = [&](auto* b, auto* x, auto act) {
            using Scalar = std::remove_pointer_t<decltype(b)>;
            for (int row = 0; row < view.free; ++row) {
                const Vector3 local = root(row) * (R.transpose() * impulses.col(view.global[view.freeLocal[row]]));
                for (int k = 0; k < 3; ++k) b[3 * row + k] = static_cast<Scalar>(local[k]);
            }
            act(view, b, x);
            for (int row = 0; row < view.free; ++row)
                changes.col(view.global[view.freeLocal[row]]) +=
                    root(row) * (R * Vector3(static_cast<double>(x[3 * row]), static_cast<double>(x[3 * row + 1]),
                                             static_cast<double>(x[3 * row + 2])));
        };
        if (system.single())
            solve(reinterpret_cast<float*>(right.data()), reinterpret_cast<float*>(solution.data()),
                  regionKernels().solveSingle);
        else
            solve(right.data(), solution.data(), regionKernels().solveDouble);
    }
}

// A region's forces are those of its own cells: where it ends they lack what the flesh beyond pulls with, so that the
// blend has an error of its own, which stays the same while the bones stand. Conjugate gradients
// start where the last step's correction, by the share that is best, leads to: flesh at rest comes to the minimum over
// the steps, whatever the number of iterations. Their directions are not made conjugate to it: with two iterations that
// comes there far more slowly (docs/internals/lattice-figures.md).
void LatticeBatchData::converge(LatticeBody& body, const Vector3& gravity, Points& change) const {
    const CommonEnergy energy(*this, body);
    const Points blended = change;
    Points r = energy.residual(change, gravity), preconditioned;
    energy.clearHeld(body.correction);
    const Points corrected = energy.product(body.correction);
    if (const double curvature = body.correction.cwiseProduct(corrected).sum(); curvature > 0.0) {
        const double share = body.correction.cwiseProduct(r).sum() / curvature;
        change += share * body.correction;
        r -= share * corrected;
    }
    response(body, r, preconditioned);
    Points direction = preconditioned;
    double product = r.cwiseProduct(preconditioned).sum();
    for (int iteration = 1; iteration < settings.iterations && product > 0.0; ++iteration) {
        const Points image = energy.product(direction);
        const double curvature = direction.cwiseProduct(image).sum();
        if (!(curvature > 0.0)) break;
        change += product / curvature * direction;
        r -= product / curvature * image;
        if (iteration + 1 == settings.iterations) break;
        response(body, r, preconditioned);
        const double next = r.cwiseProduct(preconditioned).sum();
        direction = preconditioned + next / product * direction;
        product = next;
    }
    body.correction = change - blended;
}

bool LatticeBatchData::satisfyPins(const LatticeBody& body, Points& change) const {
    constexpr double leastPivot = 1e-9;  // of the largest: below, pins ask for the same flesh twice
    const auto count = static_cast<Eigen::Index>(body.pins.size());
    std::vector<Points> answers(static_cast<std::size_t>(3 * count));
    Eigen::MatrixXd CYC(3 * count, 3 * count);
    Eigen::VectorXd wanted(3 * count);
    const auto at = [](const LatticePin& pin, const Points& field) {
        Vector3 x = Vector3::Zero();
        for (std::size_t k = 0; k < pin.functions.size(); ++k) x += pin.values[k] * field.col(pin.functions[k]);
        return x;
    };
    for (Eigen::Index c = 0; c < count; ++c) {
        const LatticePin& pin = body.pins[static_cast<std::size_t>(c)];
        wanted.segment<3>(3 * c) = (pin.place - at(pin, body.p)) / rates.h - at(pin, body.v) - at(pin, change);
        for (int k = 0; k < 3; ++k) {
            Points impulse = Points::Zero(3, change.cols());
            for (std::size_t f = 0; f < pin.functions.size(); ++f) impulse(k, pin.functions[f]) += pin.values[f];
            response(body, impulse, answers[static_cast<std::size_t>(3 * c + k)]);
        }
    }
    for (Eigen::Index column = 0; column < 3 * count; ++column)
        for (Eigen::Index c = 0; c < count; ++c)
            CYC.block<3, 1>(3 * c, column) =
                at(body.pins[static_cast<std::size_t>(c)], answers[static_cast<std::size_t>(column)]);
    const Eigen::LDLT<Eigen::MatrixXd> factor(0.5 * (CYC + CYC.transpose()));
    const Eigen::VectorXd pivots = factor.vectorD();
    if (!(pivots.minCoeff() > leastPivot * pivots.maxCoeff())) return false;
    // Answers of the inverse in single precision are good to six digits: a second round leaves none of that.
    for (int round = 0; round < 2; ++round) {
        const Eigen::VectorXd impulses = factor.solve(wanted);
        for (Eigen::Index column = 0; column < 3 * count; ++column)
            change += impulses[column] * answers[static_cast<std::size_t>(column)];
        wanted -= CYC * impulses;
    }
    return true;
}

double LatticeBatch::strainEnergy(int slot) const {
    const Data& data = *m_data;
    const LatticeBody& body = data.bodies[static_cast<std::size_t>(slot)];
    double energy = 0.0;
    for (std::size_t i = 0; i < data.model->regions.size(); ++i) {
        const LatticeRegion& region = data.model->regions[i];
        const MovingFrame& bone = body.bones[static_cast<std::size_t>(region.bone)];
        Points offset = body.p;
        for (Eigen::Index a = 0; a < offset.cols(); ++a)
            offset.col(a) -= mapped(bone.map, data.model->rest.col(a), data.model->unit[a]);
        const VectorX local = turnedBack(offset, region.shared.functions, BoneAxes(bone).R);
        energy += 0.5 * local.dot(data.shared.K[i] * local);
    }
    return energy;
}

}  // namespace pliant
