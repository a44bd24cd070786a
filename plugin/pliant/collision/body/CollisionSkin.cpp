// SPDX-License-Identifier: Zlib
#include "pliant/collision/body/CollisionSkin.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "pliant/collision/body/BoneWay.h"
#include "pliant/collision/kernels/SkinKernels.h"
#include "pliant/mesh/Embedding.h"

namespace pliant {

namespace {

/// From 1, that is none: single precision.
constexpr double kNoScale = 1e-7;

/// Where the vertices of the lattice rest, mesh frame, m.
Points latticeCorners(const ContactLattice& lattice) {
    Points corners = Points::Zero(3, lattice.vertexCount());
    for (int cell = 0; cell < lattice.cellCount(); ++cell)
        for (int c = 0; c < 8; ++c) {
            const Eigen::Vector3i place = lattice.cellPlaces.col(cell) + Eigen::Vector3i(c & 1, (c >> 1) & 1, c >> 2);
            corners.col(lattice.cellVertices(c, cell)) = lattice.origin + lattice.spacing * place.cast<double>();
        }
    return corners;
}

/// Its vertices as spheres without radius, body frame.
AffineSpheres latticeSpheres(const ReducedModel& flesh) {
    const ContactLattice& lattice = flesh.contactSurface.lattice;
    const RigidTransform& mesh = flesh.meshFromBody;
    const Points corners = mesh.rotation.transpose() * (latticeCorners(lattice).colwise() - mesh.translation);
    const Eigen::Matrix3f turn = mesh.rotation.transpose().cast<float>();
    MatrixXf basis(lattice.basis.rows(), lattice.basis.cols());
    for (Eigen::Index v = 0; v < corners.cols(); ++v)
        basis.middleRows<3>(3 * v) = turn * lattice.basis.middleRows<3>(3 * v);
    return AffineSpheres(corners.cast<float>(), VectorXf::Zero(corners.cols()), basis, MatrixXf());
}

SkinWeights latticeWeights(const CharacterModel& character) {
    const ReducedModel& flesh = *character.flesh;
    const Points corners = latticeCorners(flesh.contactSurface.lattice);
    const PointLocator locator(flesh.mesh);
    SkinWeights skin;
    skin.bones.setZero(4, corners.cols());
    skin.weights.setZero(4, corners.cols());
    for (Eigen::Index v = 0; v < corners.cols(); ++v)
        weightsAt(character.skin.nodes, locator.locate(corners.col(v)), skin.bones.col(v).data(),
                  skin.weights.col(v).data());
    return skin;
}

}  // namespace

PackedSkin::PackedSkin(const SkinWeights& skin) {
    const auto count = static_cast<std::size_t>(4 * skin.weights.cols());
    bones.assign(skin.bones.data(), skin.bones.data() + count);
    weights.resize(count);
    for (std::size_t i = 0; i < count; ++i) weights[i] = static_cast<float>(skin.weights.data()[i]);
}

namespace {

/// Whether a bone's scale is not 1; its root is taken only of what may be.
bool growsBy(const AffineMap& map) {
    if (std::abs(map.col(0).squaredNorm() - 1.0) <= kNoScale) return false;
    return std::abs(map.col(0).norm() - 1.0) > kNoScale;
}

}  // namespace

void BonePlaces::set(const AffineMap* bones, int count, const Vector3& about) {
    begin(bones, count, about);
    for (int b = 0; b < count; ++b) setBone(b, bones[b]);
}

void BonePlaces::begin(const AffineMap* bones, int count, const Vector3& about) {
    origin = about;
    isScaled = std::any_of(bones, bones + count, growsBy);
    maps.resize(static_cast<std::size_t>(count));
    columns.resize(static_cast<std::size_t>(kBoneFloats * count));
}

void BonePlaces::setBone(int bone, const AffineMap& map) {
    maps[static_cast<std::size_t>(bone)] = map;
    float* out = columns.data() + kBoneFloats * static_cast<std::size_t>(bone);
    const bool grows = isScaled && growsBy(map);
    const double scale = grows ? scaleOf(bone) : 1.0;
    for (int k = 0; k < 3; ++k) {
        float column[4] = {static_cast<float>(map(0, k)), static_cast<float>(map(1, k)), static_cast<float>(map(2, k)),
                           0.0f};
        for (int i = 0; grows && i < 3; ++i) column[i] = static_cast<float>(map(i, k) / scale);
        std::copy_n(column, 4, out + 4 * k);
    }
    const float last[4] = {static_cast<float>(map(0, 3) - origin[0]), static_cast<float>(map(1, 3) - origin[1]),
                           static_cast<float>(map(2, 3) - origin[2]), static_cast<float>(scale)};
    std::copy_n(last, 4, out + 12);
}

double BonePlaces::scaleOf(int bone) const {
    return maps[static_cast<std::size_t>(bone)].col(0).norm();
}

CollisionSkin::CollisionSkin(std::shared_ptr<const CharacterModel> character)
    : m_character(std::move(character)), m_spheres(m_character->skin.spheres), m_vertices(m_character->skin.vertices) {
    if (m_character->flesh->contactSurface.lattice.cellCount() > 0)
        m_lattice = PackedSkin(latticeWeights(*m_character));
    if (m_lattice.count() > 0) m_latticeVertices = latticeSpheres(*m_character->flesh);
    const PointsF& centres = m_character->flesh->skeleton.restCentres;
    m_sphereRests.assign(4 * static_cast<std::size_t>(centres.cols()), 0.0f);
    for (Eigen::Index i = 0; i < centres.cols(); ++i)
        std::copy_n(centres.col(i).data(), 3, m_sphereRests.data() + 4 * i);
    Vector3 lower = Vector3::Constant(std::numeric_limits<double>::max()), upper = -lower;
    for (int bone = 0; bone < boneCount(); ++bone) boundBone(bone);
    packGrowth();
    listCompanies();
    weighBones();
    for (const BoneBounds& b : m_bounds) {
        lower = lower.cwiseMin(b.centre - b.half);
        upper = upper.cwiseMax(b.centre + b.half);
    }
    m_size = m_bounds.empty() ? 0.0 : (upper - lower).maxCoeff();
}

void CollisionSkin::boundBone(int bone) {
    const ReducedModel& flesh = *m_character->flesh;
    const auto r = static_cast<int>(flesh.surfaceBasis.cols());
    BoneBounds bounds;
    bounds.bone = bone;
    bounds.growth.assign(static_cast<std::size_t>(3 * r), 0.0);
    Vector3 lower = Vector3::Constant(std::numeric_limits<double>::max()), upper = -lower;
    const auto add = [&](const Vector3& x, double radius, const MatrixXf& basis, Eigen::Index point) {
        lower = lower.cwiseMin(x - Vector3::Constant(radius));
        upper = upper.cwiseMax(x + Vector3::Constant(radius));
        for (int k = 0; k < 3; ++k)
            for (int j = 0; j < r; ++j) {
                double& most = bounds.growth[static_cast<std::size_t>(3 * j + k)];
                most = std::max(most, std::abs(static_cast<double>(basis(3 * point + k, j))));
            }
    };
    const auto follow = [&](const PackedSkin& skin, int point) {
        for (int i = 4 * point; i < 4 * point + 4; ++i)
            if (skin.bones[static_cast<std::size_t>(i)] == bone && skin.weights[static_cast<std::size_t>(i)] > 0.0f)
                return true;
        return false;
    };
    for (int i = 0; i < m_spheres.count(); ++i)
        if (follow(m_spheres, i))
            add(flesh.skeleton.restCentres.col(i).cast<double>(), static_cast<double>(flesh.skeleton.radii[i]),
                flesh.skeleton.basis, i);
    for (int i = 0; i < m_vertices.count(); ++i)
        if (follow(m_vertices, i)) add(flesh.surface.positions.col(i), 0.0, flesh.surfaceBasis, i);
    if (lower.x() > upper.x()) return;
    bounds.centre = 0.5 * (lower + upper);
    bounds.half = 0.5 * (upper - lower);
    bounds.halfLength = bounds.half.norm();
    m_bounds.push_back(bounds);
}

void CollisionSkin::packGrowth() {
    constexpr std::size_t width = kGrowthColumns;
    const std::size_t columns = 3 * m_bounds.size(), panels = (columns + width - 1) / width;
    m_growthRows = static_cast<int>(m_character->flesh->surfaceBasis.cols());
    const auto rows = static_cast<std::size_t>(m_growthRows);
    m_growth.assign(panels * rows * width, 0.0);
    for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t j = 0; j < rows; ++j)
            m_growth[(c / width * rows + j) * width + c % width] = m_bounds[c / 3].growth[3 * j + c % 3];
    for (BoneBounds& bone : m_bounds) bone.growth = std::vector<double>();
}

/// Vertices of the flesh's bricks stand for about as much of it each.
void CollisionSkin::weighBones() {
    m_boneMasses.assign(static_cast<std::size_t>(boneCount()), 0.0);
    const SkinWeights& nodes = m_character->skin.nodes;
    for (Eigen::Index v = 0; v < nodes.weights.cols(); ++v)
        for (int k = 0; k < 4; ++k) m_boneMasses[static_cast<std::size_t>(nodes.bones(k, v))] += nodes.weights(k, v);
    double sum = 0.0;
    for (const double share : m_boneMasses) sum += share;
    for (double& mass : m_boneMasses) mass *= sum > 0.0 ? m_character->flesh->inertia.mass / sum : 0.0;
}

double CollisionSkin::massBehind(int sphere) const {
    double mass = 0.0;
    m_spheres.forBones(sphere,
                       [&](int bone, double weight) { mass += weight * m_boneMasses[static_cast<std::size_t>(bone)]; });
    return mass;
}

void CollisionSkin::listCompanies() {
    m_companies.clear();
    std::vector<int> placeOfBone(static_cast<std::size_t>(boneCount()), -1);
    for (std::size_t i = 0; i < m_bounds.size(); ++i)
        placeOfBone[static_cast<std::size_t>(m_bounds[i].bone)] = static_cast<int>(i);
    std::set<std::vector<int>> companies;
    for (int i = 0; i < m_spheres.count(); ++i) {
        std::vector<int> company;
        m_spheres.forBones(i,
                           [&](int bone, double) { company.push_back(placeOfBone[static_cast<std::size_t>(bone)]); });
        std::sort(company.begin(), company.end());
        if (!company.empty()) companies.insert(company);
    }
    // What lies between points that follow different bones, on a triangle, follows all of them.
    const Triangles& triangles = m_character->flesh->surface.triangles;
    for (Eigen::Index t = 0; t < triangles.cols(); ++t) {
        std::set<int> all;
        for (int k = 0; k < 3; ++k)
            m_vertices.forBones(triangles(k, t),
                                [&](int bone, double) { all.insert(placeOfBone[static_cast<std::size_t>(bone)]); });
        if (!all.empty()) companies.insert(std::vector<int>(all.begin(), all.end()));
    }
    // A set's box holds those of its subsets.
    for (const std::vector<int>& company : companies) {
        const bool isPart = std::any_of(companies.begin(), companies.end(), [&](const std::vector<int>& other) {
            return other.size() > company.size() &&
                   std::includes(other.begin(), other.end(), company.begin(), company.end());
        });
        if (!isPart) m_companies.push_back(company);
    }
}

void CollisionSkin::nodeSphere(const BoneLists& lists, int node, const BonePlaces& places, const float* sphere,
                               const float* rest, float* out) {
    const int first = lists.first[static_cast<std::size_t>(node)],
              end = lists.first[static_cast<std::size_t>(node) + 1];
    Eigen::Vector4f mean = Eigen::Vector4f::Zero();
    const float one = 1.0f;
    const auto image = [&](int i) {
        Eigen::Vector4f place = Eigen::Map<const Eigen::Vector4f>(sphere);
        const int bones[4] = {lists.bones[static_cast<std::size_t>(i)], 0, 0, 0};
        const float weights[4] = {one, 0.0f, 0.0f, 0.0f};
        skinSpheres(places.columns.data(), bones, weights, 1, place.data(), places.restFor(rest));
        place[3] = std::max(place[3], sphere[3]);  // what q adds to the radius is not scaled
        return place;
    };
    for (int i = first; i < end; ++i) mean += image(i);
    if (end > first) mean /= static_cast<float>(end - first);
    float radius = 0.0f, farthest = 0.0f;
    for (int i = first; i < end; ++i) {
        const Eigen::Vector4f place = image(i);
        radius = std::max(radius, (place.head<3>() - mean.head<3>()).norm() + place[3]);
        farthest = std::max(farthest, place.head<3>().cwiseAbs().maxCoeff());
    }
    std::copy_n(mean.data(), 3, out);
    out[3] = radius * (1.0f + 1e-6f) + 2e-6f * farthest;  // sixteen roundings
}

void CollisionSkin::reach(const float* q, const float* change, int r, double* reaches, double* changes) const {
    static thread_local std::vector<double> sums;
    const std::size_t columns = 3 * m_bounds.size(), panels = (columns + kGrowthColumns - 1) / kGrowthColumns;
    sums.resize(2 * panels * kGrowthColumns);
    double *ofQ = sums.data(), *ofChange = ofQ + panels * kGrowthColumns;
    sumGrowth(m_growth.data(), static_cast<int>(panels), m_growthRows, r, q, change, ofQ, ofChange);
    for (std::size_t b = 0; b < m_bounds.size(); ++b) {
        std::copy_n(ofQ + 3 * b, 3, reaches + 3 * m_bounds[b].bone);
        std::copy_n(ofChange + 3 * b, 3, changes + 3 * m_bounds[b].bone);
    }
}

/// Of what follows a bone, about the origin of `places`.
CollisionSkin::BoneBox CollisionSkin::boxOf(const BoneBounds& b, const BonePlaces& places,
                                            const double* reaches) const {
    const AffineMap& map = places.maps[static_cast<std::size_t>(b.bone)];
    const double bending = places.isScaled ? 1.0 / map.col(0).norm() : 1.0;
    BoneBox box;
    for (int i = 0; i < 3; ++i) {
        double centre = map(i, 3) - places.origin[i], half = 0.0;
        for (int k = 0; k < 3; ++k) {
            centre += map(i, k) * b.centre[k];
            half += std::abs(map(i, k)) * (b.half[k] + bending * reaches[3 * b.bone + k]);
        }
        box.lower[i] = centre - half;
        box.upper[i] = centre + half;
    }
    return box;
}

bool CollisionSkin::mayMeet(const BonePlaces& places, const double* reaches, const Vector3& lower,
                            const Vector3& upper) const {
    static thread_local std::vector<BoneBox> boxes;
    boxes.clear();
    for (const BoneBounds& bone : m_bounds) boxes.push_back(boxOf(bone, places, reaches));
    for (const std::vector<int>& company : m_companies) {
        BoneBox all = boxes[static_cast<std::size_t>(company.front())];
        for (const int bone : company) {
            all.lower = all.lower.cwiseMin(boxes[static_cast<std::size_t>(bone)].lower);
            all.upper = all.upper.cwiseMax(boxes[static_cast<std::size_t>(bone)].upper);
        }
        const double rounding = 2e-6 * std::max(all.lower.cwiseAbs().maxCoeff(), all.upper.cwiseAbs().maxCoeff());
        if ((all.lower.array() - rounding <= upper.array()).all() &&
            (all.upper.array() + rounding >= lower.array()).all())
            return true;
    }
    return false;
}

void CollisionSkin::bounds(const BonePlaces& places, const double* reaches, float* box) const {
    constexpr double huge = 3e38;
    double lower[3] = {huge, huge, huge}, upper[3] = {-huge, -huge, -huge};
    double farthest = 0.0;
    for (const BoneBounds& b : m_bounds) {
        const BoneBox one = boxOf(b, places, reaches);
        for (int i = 0; i < 3; ++i) {
            lower[i] = std::min(lower[i], one.lower[i]);
            upper[i] = std::max(upper[i], one.upper[i]);
            farthest = std::max({farthest, std::abs(one.lower[i]), std::abs(one.upper[i])});
        }
    }
    const double rounding = 2e-6 * farthest;  // of spheres, in single precision
    for (int i = 0; i < 3; ++i) {
        box[i] = m_bounds.empty() ? 0.0f : static_cast<float>(lower[i] - rounding);
        box[4 + i] = m_bounds.empty() ? 0.0f : static_cast<float>(-upper[i] - rounding);
    }
    box[3] = box[7] = 0.0f;
}

CollisionSkin::Ways CollisionSkin::longestWays(const AffineMap* before, const AffineMap* after,
                                               const Vector3& shift) const {
    Ways ways;
    for (const BoneBounds& b : m_bounds) {
        const BoneWay way(before[b.bone].data(), after[b.bone].data(), b.centre, shift);
        const double turned = way.turn * b.halfLength;
        ways.whole = std::max(ways.whole, way.whole + turned);
        ways.relative = std::max(ways.relative, way.relative + turned);
    }
    return ways;
}

CollisionSkin::Ways CollisionSkin::moveTo(BonePlaces& places, const AffineMap* bones, const Vector3& origin,
                                          const double* reaches, const double* changes) const {
    Ways ways;
    const Vector3 shift = origin - places.origin;
    const bool wasScaled = places.isScaled;
    places.begin(bones, boneCount(), origin);
    const auto turnOf = [](const AffineMap& map, bool isScaled) {
        return Matrix3(isScaled ? Matrix3(map.leftCols<3>() / map.col(0).norm()) : Matrix3(map.leftCols<3>()));
    };
    auto next = m_bounds.begin();
    for (int bone = 0; bone < boneCount(); ++bone) {
        const AffineMap &before = places.maps[static_cast<std::size_t>(bone)], &after = bones[bone];
        if (next != m_bounds.end() && next->bone == bone) {
            const BoneBounds& b = *next++;
            const BoneWay way(before.data(), after.data(), b.centre, shift);
            const double *reached = reaches + 3 * bone, bent = lengthOfThree(changes + 3 * bone);
            const double far[3] = {b.half[0] + reached[0], b.half[1] + reached[1], b.half[2] + reached[2]};
            double turned = way.turn * lengthOfThree(far);
            if (wasScaled || places.isScaled)
                turned = way.turn * b.halfLength +
                         (turnOf(after, places.isScaled) - turnOf(before, wasScaled)).norm() * lengthOfThree(reached);
            ways.whole = std::max(ways.whole, way.whole + turned + bent);
            ways.relative = std::max(ways.relative, way.relative + turned + bent);
        }
        places.setBone(bone, after);
    }
    return ways;
}

}  // namespace pliant
