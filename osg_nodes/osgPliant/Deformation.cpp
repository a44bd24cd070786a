// SPDX-License-Identifier: Zlib
#include "osgPliant/Deformation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <osg/BufferObject>
#include <utility>

#include "osgPliant/TexelLayout.h"
#include "osgPliant/VertexSums.h"
#include "pliant/math/Lanes.h"

namespace osgPliant {

namespace {

constexpr std::size_t chunkNumbers = texelWidth * BasisTexels::each;

/// The rows of U and dN of vertex v, four columns from 4 * chunk on, divided by their scales.
std::array<float, chunkNumbers> chunkOf(const Deformation::Rows& rows, const std::vector<float>& scale, int v,
                                        int chunk) {
    std::array<float, chunkNumbers> values{};
    const auto at = [&](int texel, int lane) -> float& {
        return values[static_cast<std::size_t>(texelWidth * texel + lane)];
    };
    const bool corrected = rows.normals.rows() == rows.basis.rows();
    for (int lane = 0; lane < 4; ++lane) {
        const int j = 4 * chunk + lane;
        if (j >= rows.basis.cols()) break;
        const float factor = 1.0f / scale[static_cast<std::size_t>(j)];
        for (int axis = 0; axis < 3; ++axis) {
            at(BasisTexels::position + axis, lane) = rows.basis(3 * v + axis, j) * factor;
            if (corrected) at(BasisTexels::normal + axis, lane) = rows.normals(3 * v + axis, j) * factor;
        }
    }
    return values;
}

/// What a vertex follows. A weight is two halves, whose sum has 22 bits.
std::array<float, texelWidth * BoneTexels::each> boneNumbersOf(const VertexBones& bones, int v) {
    std::array<float, texelWidth * BoneTexels::each> values{};
    const auto at = [&](int texel, Eigen::Index lane) -> float& {
        return values[static_cast<std::size_t>(texelWidth * texel + lane)];
    };
    for (Eigen::Index i = 0; i < 4; ++i) {
        const auto weight = static_cast<float>(bones.weights.weights(i, v));
        const auto first = static_cast<float>(Eigen::half(weight));
        at(BoneTexels::numbers, i) = static_cast<float>(bones.weights.bones(i, v));
        at(BoneTexels::weights, i) = first;
        at(BoneTexels::weights + 1, i) = weight - first;
        for (int axis = 0; axis < 3; ++axis)
            at(BoneTexels::gradients + axis, i) = bones.weightGradients(3 * i + axis, v);
    }
    return values;
}

}  // namespace

Deformation::Deformation(Rows rows, const osg::Matrixd& bodyFromRest, Precision precision)
    : _rows(std::move(rows)), _precision(precision), _bodyFromRest(bodyFromRest) {
    constexpr int mostInHalves = 2048;  // numbers of bones that 11 bits tell apart
    if (getBoneCount() > mostInHalves) _precision = Float;
    measureColumns();
    measureBones();
    createTexture(_precision);
    _rows.normals.resize(0, 0);  // the graphics card's alone
}

Deformation::~Deformation() = default;

void Deformation::measureColumns() {
    for (int v = 0; v < getVertexCount(); ++v) {
        // As the graphics card has it.
        const Eigen::Vector3f x = _rows.positions.col(v).cast<float>();
        _restBound.expandBy(osg::Vec3d(x.x(), x.y(), x.z()));
    }
    const int r = getDimension();
    _columnReach = pliant::Points::Zero(3, r);
    _columnScale.assign(static_cast<std::size_t>(r), 1.0f);
    for (int j = 0; j < r; ++j) {
        const Eigen::Map<const pliant::PointsF> column(_rows.basis.col(j).data(), 3, getVertexCount());
        if (getVertexCount() > 0) _columnReach.col(j) = column.cwiseAbs().rowwise().maxCoeff().cast<double>();
        const auto reach = static_cast<float>(_columnReach.col(j).maxCoeff());
        if (reach > 0.0f) _columnScale[static_cast<std::size_t>(j)] = reach;
    }
}

int Deformation::getVertexTexelCount() const {
    return BasisTexels::each * getChunkCount() + (getBoneCount() > 0 ? BoneTexels::each : 0);
}

void Deformation::createTexture(Precision precision) {
    constexpr float largestHalf = 65504.0f;
    osg::ref_ptr<osg::UShortArray> halves = precision == HalfFloat ? new osg::UShortArray : nullptr;
    osg::ref_ptr<osg::FloatArray> floats = precision == Float ? new osg::FloatArray : nullptr;
    const auto count = static_cast<std::size_t>(texelWidth) * static_cast<std::size_t>(getVertexCount()) *
                       static_cast<std::size_t>(getVertexTexelCount());
    if (halves) halves->reserve(count);
    if (floats) floats->reserve(count);
    const auto append = [&](const auto& values) {
        for (const float value : values) {
            if (floats) floats->push_back(value);
            if (halves) {
                const Eigen::half half(std::clamp(value, -largestHalf, largestHalf));
                halves->push_back(Eigen::numext::bit_cast<std::uint16_t>(half));
            }
        }
    };
    for (int v = 0; v < getVertexCount(); ++v) {
        if (getBoneCount() > 0) append(boneNumbersOf(_rows.bones, v));
        for (int chunk = 0; chunk < getChunkCount(); ++chunk) append(chunkOf(_rows, _columnScale, v, chunk));
    }
    if (count == 0) {  // a model that does not deform: a buffer may not be empty
        if (halves) halves->resize(4);
        if (floats) floats->resize(4);
    }
    osg::Array* data = halves ? static_cast<osg::Array*>(halves.get()) : floats.get();
    osg::ref_ptr<osg::VertexBufferObject> buffer = new osg::VertexBufferObject;
    buffer->setTarget(GL_TEXTURE_BUFFER);
    buffer->setUsage(GL_STATIC_DRAW);
    data->setBufferObject(buffer);
    _texture = new osg::TextureBuffer(data);
    _texture->setInternalFormat(halves ? GL_RGBA16F_ARB : GL_RGBA32F_ARB);
    _texture->setUnRefImageDataAfterApply(false);
}

osg::BoundingBoxd Deformation::getBound(const double* q) const {
    if (!_restBound.valid()) return _restBound;
    pliant::Vector3 reach = pliant::Vector3::Zero();
    for (int j = 0; j < getDimension(); ++j) reach += std::abs(q[j]) * _columnReach.col(j);
    reach *= 1.0 + 1e-3;  // half floats round by up to 2^-11
    const osg::Vec3d margin(reach.x(), reach.y(), reach.z());
    return {_restBound._min - margin, _restBound._max + margin};
}

float Deformation::getTexelNumber(int vertex, int number, int column) const {
    const int texel =
        (vertex + 1) * getVertexTexelCount() - BasisTexels::each * (getChunkCount() - column / texelWidth);
    const auto at = static_cast<std::size_t>(texelWidth) * static_cast<std::size_t>(texel + number) +
                    static_cast<std::size_t>(column % texelWidth);
    const osg::BufferData* data = _texture->getBufferData();
    if (_precision == Float) return static_cast<const osg::FloatArray&>(*data)[at];
    return static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(static_cast<const osg::UShortArray&>(*data)[at]));
}

const VertexSums& Deformation::getSums() const {
    const std::lock_guard<std::mutex> lock(_sumsMutex);
    if (!_sums) _sums = std::make_unique<const VertexSums>(*this, pliant::lanesInUse());
    return *_sums;
}

bool Deformation::hasSums() const {
    const std::lock_guard<std::mutex> lock(_sumsMutex);
    return _sums != nullptr;
}

pliant::PointsF Deformation::getNormalChanges(const double* q) const {
    pliant::PointsF changes = pliant::PointsF::Zero(3, getVertexCount());
    for (int v = 0; v < getVertexCount(); ++v)
        for (int j = 0; j < getDimension(); ++j) {
            const float scaled = static_cast<float>(q[j]) * _columnScale[static_cast<std::size_t>(j)];
            for (int axis = 0; axis < 3; ++axis) changes(axis, v) += scaled * getTexelNumber(v, 3 + axis, j);
        }
    return changes;
}

pliant::PointsF Deformation::getPositions(const double* q) const {
    pliant::PointsF x = _rows.positions.cast<float>();
    if (getDimension() == 0) return x;
    const pliant::VectorXf qf = Eigen::Map<const pliant::VectorX>(q, getDimension()).cast<float>();
    Eigen::Map<pliant::VectorXf>(x.data(), x.size()).noalias() += _rows.basis * qf;
    return x;
}

}  // namespace osgPliant
