// SPDX-License-Identifier: Zlib
#include "osgPliant/SummedVertices.h"

#include <algorithm>

#include "osgPliant/TexelLayout.h"
#include "osgPliant/VertexSums.h"

namespace osgPliant {

namespace {

constexpr std::size_t mostBytes = std::size_t{1} << 28;
constexpr std::size_t fewestPlaces = 8;

}  // namespace

struct SummedVertices::Arrays : public osg::Referenced {
    std::vector<osg::ref_ptr<osg::FloatArray>> all;
};

SummedVertices::~SummedVertices() = default;

SummedVertices::SummedVertices(const Deformation& deformation)
    : _arrays(new Arrays),
      _deformation(&deformation),
      _buffer(new osg::VertexBufferObject),
      _head(new osg::FloatArray(SumTexels::head * SumTexels::width)) {
    _buffer->setTarget(GL_TEXTURE_BUFFER);
    _buffer->setUsage(GL_DYNAMIC_DRAW);
    _head->setBufferObject(_buffer);
    _texture = new osg::TextureBuffer(_head);
    _texture->setInternalFormat(GL_RGB32F_ARB);
    _texture->setUserData(_arrays);
}

bool SummedVertices::fits(const Demand& demand, std::size_t mostTexels) {
    const std::size_t texels = SumTexels::head + SumTexels::each * demand.vertices * demand.bodies;
    const std::size_t basis = SumTexels::numbers * demand.vertices * demand.dimension;
    const std::size_t numbers = demand.passes * texels * SumTexels::width + basis;
    return texels <= mostTexels && numbers * sizeof(float) <= mostBytes;
}

void SummedVertices::setBodyCount(std::size_t count) {
    if (_placeOf.size() < count) _placeOf.resize(count, -1);
}

/// Twice as many: a buffer that grows is sent as a whole.
void SummedVertices::addPlaces() {
    const std::size_t count = std::min(std::max(2 * _places.size(), fewestPlaces), _placeOf.size());
    while (_places.size() < count) {
        Place place;
        place.numbers = new osg::FloatArray(static_cast<unsigned int>(_deformation->getSums().getNumberCount()));
        place.numbers->setBufferObject(_buffer);
        _arrays->all.push_back(place.numbers);
        _places.push_back(place);
    }
}

int SummedVertices::place(int body, const float* q) {
    int& number = _placeOf[static_cast<std::size_t>(body)];
    if (number < 0) {
        if (_placed == _places.size()) addPlaces();
        number = static_cast<int>(_placed++);
    }
    Place& place = _places[static_cast<std::size_t>(number)];
    const int r = _deformation->getDimension();
    if (place.q.empty() || !std::equal(place.q.begin(), place.q.end(), q)) {
        place.q.assign(q, q + r);
        _changed.push_back(static_cast<std::size_t>(number));
    }
    return number;
}

int SummedVertices::update() {
    if (_changed.empty()) return 0;
    std::vector<VertexSums::Body> bodies;
    for (const std::size_t number : _changed) {
        Place& place = _places[number];
        bodies.push_back({place.q.data(), &place.numbers->front()});
        place.numbers->dirty();
    }
    _deformation->getSums().sum(bodies);
    _head->dirty();
    _changed.clear();
    return static_cast<int>(bodies.size());
}

}  // namespace osgPliant
