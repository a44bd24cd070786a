// SPDX-License-Identifier: Zlib
#include "pliant/runtime/SkinForces.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "pliant/math/Lanes.h"
#include "pliant/runtime/kernels/CoefficientPanels.h"
#include "pliant/runtime/kernels/Kernels.h"

namespace pliant {

using kernels::lanes;

namespace {

// Of a bone, numbers by lanes: R where one is scaled, [L'' | t'' - g], L, t, scale.
constexpr int kTurn = 0, kAcceleration = 9, kMap = 21, kPlace = 30, kScale = 33, kBoneNumbers = 34;

}  // namespace

/// Sixteen characters stand side by side, lane by lane, so that no sum mixes them: a character's bits are the same
/// whoever stands beside it. The products are those of the polynomials' kernels without a cubic part.
///
/// A_bc = A_cb, so that the numbers of (b, c) and (c, b) are added before they meet it. Those of poses are small where
/// bones turn little and go in single precision, as the polynomials do; inertia holds gravity, whose sum over all bones
/// has to be that of one, and stays in double.
///
/// The turns of a pair's two poses are one matrix and its transpose: with M = R_b' R_c, s = (scale_b + scale_c) / 2,
/// d = (scale_c - scale_b) / 2 and H : M = G_cb : M',
///     G_bc : (scale_c M - scale_b I) + G_cb : (scale_b M' - scale_c I)
///         = (G_bc + H) : s (M - I) + (G_bc - H) : d (M + I),
/// whose second part is formed only for blocks in which a bone is scaled.
struct SkinForces::Data {
    struct Pair {
        int b = 0, c = 0;
        bool hasTwin = false;                              ///< (c, b) is added
        int columns() const { return hasTwin ? 15 : 12; }  ///< Of its pose.
    };
    std::shared_ptr<const CharacterModel> character;
    std::vector<Pair> inertiaPairs, posePairs;
    kernels::CoefficientPanels<double> inertia;  ///< r x 12 inertiaPairs: -A
    kernels::CoefficientPanels<float> pose;      ///< r x columns of posePairs: -G
    kernels::CoefficientPanels<float> scaled;    ///< r x 9 a pair with a twin: -(G_bc - H)
    /// Working memory of sixteen characters, of which each worker takes a free one while it needs it.
    struct Block {
        std::atomic<bool> busy{false};
        kernels::AlignedArray<double> bones;    ///< kBoneNumbers x 16 a bone
        kernels::AlignedArray<double> columns;  ///< 12 inertiaPairs x 16
        kernels::AlignedArray<double> product, unused;
        kernels::AlignedArray<float> poseColumns;    ///< Columns of posePairs x 16.
        kernels::AlignedArray<float> scaledColumns;  ///< 9 a pair with a twin, x 16.
        kernels::AlignedArray<float> poseProduct, scaledProduct, poseUnused;
        bool isScaled = false;  ///< Whether any of its bones is.
        /// Where a bone's numbers have its turn: of bones that are not scaled it is the map itself.
        int turn() const { return isScaled ? kTurn : kMap; }
    };
    std::vector<std::unique_ptr<Block>> memory;

    void listPairs();
    void listPoses();
    void reserve(std::size_t wanted);
    Block& acquire();
    void gather(Block& block, const MovingFrame* const* bones, int count, const Vector3& gravity) const;
    void formInertia(Block& block, const kernels::Table& table) const;
    void formPose(Block& block, const kernels::Table& table) const;
    void formScaled(Block& block, const kernels::Table& table) const;
};

namespace {

Eigen::Index pairAt(const SkinForcing& forcing, int b, int c) {
    for (Eigen::Index p = 0; p < forcing.pairs.cols(); ++p)
        if (forcing.pairs(0, p) == b && forcing.pairs(1, p) == c) return p;
    return -1;
}

}  // namespace

void SkinForces::Data::listPairs() {
    constexpr double alike = 1e-9;
    const SkinForcing& forcing = character->forcing;
    MatrixX A(forcing.inertia.rows(), forcing.inertia.cols());
    const double largest = forcing.inertia.size() > 0 ? forcing.inertia.cwiseAbs().maxCoeff() : 0.0;
    for (Eigen::Index p = 0; p < forcing.pairs.cols(); ++p) {
        Pair pair{forcing.pairs(0, p), forcing.pairs(1, p), false};
        const Eigen::Index twin = pair.b == pair.c ? -1 : pairAt(forcing, pair.c, pair.b);
        const MatrixX own = forcing.inertia.middleCols(12 * p, 12);
        if (twin >= 0 && (own - forcing.inertia.middleCols(12 * twin, 12)).cwiseAbs().maxCoeff() <= alike * largest) {
            if (twin < p) continue;
            pair.hasTwin = true;
        }
        A.middleCols(12 * static_cast<Eigen::Index>(inertiaPairs.size()), 12) = -own;
        inertiaPairs.push_back(pair);
    }
    inertia = kernels::CoefficientPanels<double>(A.leftCols(12 * static_cast<Eigen::Index>(inertiaPairs.size())));
}

void SkinForces::Data::listPoses() {
    const SkinForcing& forcing = character->forcing;
    MatrixX G(forcing.pose.rows(), forcing.pose.cols()), D(forcing.pose.rows(), forcing.pose.cols());
    Eigen::Index columns = 0, differences = 0;
    for (Eigen::Index p = 0; p < forcing.pairs.cols(); ++p) {
        Pair pair{forcing.pairs(0, p), forcing.pairs(1, p), false};
        if (pair.b == pair.c) continue;
        const Eigen::Index twin = pairAt(forcing, pair.c, pair.b);
        if (twin >= 0 && twin < p) continue;
        pair.hasTwin = twin >= 0;
        G.middleCols(columns, 12) = -forcing.pose.middleCols(12 * p, 12);
        for (Eigen::Index k = 0; pair.hasTwin && k < 9; ++k) {
            const VectorX transposed = forcing.pose.col(12 * twin + k % 3 * 3 + k / 3);
            D.col(differences++) = transposed - forcing.pose.col(12 * p + k);
            G.col(columns + k) -= transposed;
        }
        if (pair.hasTwin) G.middleCols(columns + 12, 3) = -forcing.pose.middleCols(12 * twin + 9, 3);
        columns += pair.columns();
        posePairs.push_back(pair);
    }
    pose = kernels::CoefficientPanels<float>(G.leftCols(columns));
    scaled = kernels::CoefficientPanels<float>(D.leftCols(differences));
}

void SkinForces::Data::reserve(std::size_t wanted) {
    while (memory.size() < wanted) {
        const auto size = [](int rows) { return static_cast<std::size_t>(rows * lanes); };
        memory.push_back(std::make_unique<Block>());
        Block& block = *memory.back();
        block.bones.resize(size(kBoneNumbers * character->skeleton.boneCount()));
        block.columns.resize(size(inertia.columns));
        block.product.resize(size(inertia.rows));
        block.unused.resize(size(inertia.rows));
        block.poseColumns.resize(size(pose.columns));
        block.scaledColumns.resize(size(scaled.columns));
        block.poseProduct.resize(size(pose.rows));
        block.scaledProduct.resize(size(pose.rows));
        block.poseUnused.resize(size(pose.rows));
    }
}

SkinForces::Data::Block& SkinForces::Data::acquire() {
    for (;;) {
        for (const std::unique_ptr<Block>& block : memory)
            if (!block->busy.exchange(true, std::memory_order_acquire)) return *block;
        std::this_thread::yield();
    }
}

namespace {

/// Rows of twelve numbers of two bones become two lanes of twelve rows. @param last what the last three are less by
void transposeTwo(const double* a, const double* b, const Vector3& last, double* out) {
    const TwoDoubles less[2] = {TwoDoubles{0.0, last[0]}, TwoDoubles{last[1], last[2]}};
    for (int i = 0; i < 12; i += 2, out += 2 * lanes) {
        TwoDoubles first, second;
        loadLanes(first, a + i);
        loadLanes(second, b + i);
        if (i >= 8) {
            first -= less[i / 2 - 4];
            second -= less[i / 2 - 4];
        }
        const TwoDoubles rows[2] = {TwoDoubles{first[0], second[0]}, TwoDoubles{first[1], second[1]}};
        storeLanes(out, rows[0]);
        storeLanes(out + lanes, rows[1]);
    }
}

/// The scale of a bone, 1 to rounding; roots are taken only where it is not.
double scaleOfFrame(const MovingFrame& bone) {
    constexpr double noScale = 1e-9;  // from 1: rounding
    if (std::abs(bone.map.col(0).squaredNorm() - 1.0) <= noScale) return 1.0;
    const double scale = bone.scale();
    return std::abs(scale - 1.0) > noScale ? scale : 1.0;
}

/// The lines of a frame that are read: its velocity lies between them.
void prefetchFrame(const MovingFrame& bone) {
    for (const double* numbers : {bone.map.data(), bone.acceleration.data()}) {
        __builtin_prefetch(numbers);
        __builtin_prefetch(numbers + 8);
    }
}

}  // namespace

/// @param bones `count` of them, at most 16
void SkinForces::Data::gather(Block& block, const MovingFrame* const* bones, int count, const Vector3& gravity) const {
    const int boneCount = character->skeleton.boneCount();
    block.isScaled = false;
    // Bone by bone, so that the lines that all lanes write to stay near.
    for (int b = 0; b < boneCount; ++b) {
        double* const numbers = block.bones.data() + kBoneNumbers * lanes * b;
        for (int lane = 0; lane < count; ++lane) {
            if (b + 2 < boneCount) prefetchFrame(bones[lane][b + 2]);
            const double scale = scaleOfFrame(bones[lane][b]);
            numbers[kScale * lanes + lane] = scale;
            block.isScaled = block.isScaled || scale != 1.0;
        }
        for (int lane = 0; lane < count; lane += 2) {  // an odd last one beside itself
            const MovingFrame &one = bones[lane][b], &other = bones[std::min(lane + 1, count - 1)][b];
            transposeTwo(one.map.data(), other.map.data(), Vector3::Zero(), numbers + kMap * lanes + lane);
            transposeTwo(one.acceleration.data(), other.acceleration.data(), gravity,
                         numbers + kAcceleration * lanes + lane);
        }
    }
    for (int b = 0; block.isScaled && b < boneCount; ++b) {
        double* const numbers = block.bones.data() + kBoneNumbers * lanes * b;
        for (int i = 0; i < 9; ++i)
            for (int lane = 0; lane < count; ++lane)
                numbers[(kTurn + i) * lanes + lane] =
                    numbers[(kMap + i) * lanes + lane] / numbers[kScale * lanes + lane];
    }
}

/// [R_b' L''_c | R_b' (t''_c - g)] of every pair, with its twin's.
void SkinForces::Data::formInertia(Block& block, const kernels::Table& table) const {
    double* out = block.columns.data();
    const auto bone = [&](int b) { return block.bones.data() + kBoneNumbers * lanes * b; };
    const int turn = block.turn() * lanes;
    for (const Pair& pair : inertiaPairs) {
        const double *b = bone(pair.b), *c = bone(pair.c);
        table.transposedProduct(b + turn, c + kAcceleration * lanes, 4, false, out);
        if (pair.hasTwin) table.transposedProduct(c + turn, b + kAcceleration * lanes, 4, true, out);
        out += 12 * lanes;
    }
}

/// [s (M - I) | R_b' (t_c - t_b)] and, of a twin, [R_c' (t_b - t_c)] of every pair, rounded when the differences have
/// been taken; without a twin [R_b' L_c - scale_b | R_b' (t_c - t_b)].
void SkinForces::Data::formPose(Block& block, const kernels::Table& table) const {
    alignas(64) double shape[15 * lanes], way[6 * lanes];
    float* out = block.poseColumns.data();
    const int turn = block.turn() * lanes;
    for (const Pair& pair : posePairs) {
        const double *b = block.bones.data() + kBoneNumbers * lanes * pair.b,
                     *c = block.bones.data() + kBoneNumbers * lanes * pair.c;
        table.transposedProduct(b + turn, c + (pair.hasTwin ? turn : kMap * lanes), 3, false, shape);
        for (int i = 0; i < 3 * lanes; ++i) {
            way[i] = c[kPlace * lanes + i] - b[kPlace * lanes + i];
            way[3 * lanes + i] = -way[i];
        }
        table.transposedProduct(b + turn, way, 1, false, shape + 9 * lanes);
        for (int k = 0; k < 3; ++k)
            for (int lane = 0; lane < lanes; ++lane)
                shape[4 * k * lanes + lane] -= pair.hasTwin ? 1.0 : b[kScale * lanes + lane];
        if (pair.hasTwin) {
            table.transposedProduct(c + turn, way + 3 * lanes, 1, false, shape + 12 * lanes);
            for (int i = 0; block.isScaled && i < 9 * lanes; ++i)
                shape[i] *= 0.5 * (b[kScale * lanes + i % lanes] + c[kScale * lanes + i % lanes]);
        }
        for (int i = 0; i < pair.columns() * lanes; ++i) *out++ = static_cast<float>(shape[i]);
    }
}

/// d (M + I) of every pair with a twin. Where no bone is scaled it is zero and adds nothing.
void SkinForces::Data::formScaled(Block& block, const kernels::Table& table) const {
    alignas(64) double turn[9 * lanes];
    float* out = block.scaledColumns.data();
    for (const Pair& pair : posePairs) {
        if (!pair.hasTwin) continue;
        const double *b = block.bones.data() + kBoneNumbers * lanes * pair.b,
                     *c = block.bones.data() + kBoneNumbers * lanes * pair.c;
        table.transposedProduct(b, c + kTurn * lanes, 3, false, turn);
        for (int k = 0; k < 9; ++k)
            for (int lane = 0; lane < lanes; ++lane) {
                const double difference = 0.5 * (c[kScale * lanes + lane] - b[kScale * lanes + lane]);
                *out++ = static_cast<float>(difference * (turn[k * lanes + lane] + (k % 4 == 0 ? 1.0 : 0.0)));
            }
    }
}

SkinForces::SkinForces(std::shared_ptr<const CharacterModel> character, RestShape base)
    : m_data(std::make_unique<Data>()) {
    m_data->character = std::move(character);
    m_data->listPairs();
    if (base == RestShape::Flesh) m_data->listPoses();
}

SkinForces::~SkinForces() = default;
SkinForces::SkinForces(SkinForces&&) noexcept = default;
SkinForces& SkinForces::operator=(SkinForces&&) noexcept = default;

const CharacterModel& SkinForces::character() const {
    return *m_data->character;
}

void SkinForces::evaluate(const std::vector<const MovingFrame*>& bones, const Vector3& gravity, double* forces,
                          const Workers& workers) {
    Data& d = *m_data;
    const int count = static_cast<int>(bones.size()), r = d.character->flesh->dimension();
    d.reserve(static_cast<std::size_t>(std::min((count + lanes - 1) / lanes, workers.count())));
    const kernels::Table& table = kernels::active();
    const auto evaluateBlock = [&](int begin, int end) {
        Data::Block& block = d.acquire();
        d.gather(block, bones.data() + begin, end - begin, gravity);
        d.formInertia(block, table);
        table.polynomialDouble(d.inertia.values.data(), d.inertia.rows, 0, d.inertia.columns, 1, block.columns.data(),
                               block.product.data(), block.unused.data());
        if (!d.posePairs.empty()) {
            d.formPose(block, table);
            table.polynomialSingle(d.pose.values.data(), d.pose.rows, 0, d.pose.columns, 1, block.poseColumns.data(),
                                   block.poseProduct.data(), block.poseUnused.data());
        }
        const bool isScaled = block.isScaled && d.scaled.columns > 0;
        if (isScaled) {
            d.formScaled(block, table);
            table.polynomialSingle(d.scaled.values.data(), d.scaled.rows, 0, d.scaled.columns, 1,
                                   block.scaledColumns.data(), block.scaledProduct.data(), block.poseUnused.data());
        }
        for (int lane = 0; lane < end - begin; ++lane)
            for (int j = 0; j < r; ++j) {
                const int at = j * lanes + lane;
                double& force = forces[(begin + lane) * r + j];
                force = block.product.data()[at];
                if (!d.posePairs.empty()) force += static_cast<double>(block.poseProduct.data()[at]);
                if (isScaled) force += static_cast<double>(block.scaledProduct.data()[at]);
            }
        block.busy.store(false, std::memory_order_release);
    };
    workers.forBlocks(count, lanes, std::cref(evaluateBlock));
}

}  // namespace pliant
