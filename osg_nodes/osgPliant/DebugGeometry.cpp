// SPDX-License-Identifier: Zlib
#include "osgPliant/DebugGeometry.h"

#include <cmath>
#include <osg/BlendFunc>
#include <osg/BufferObject>
#include <osg/Depth>
#include <osg/LineWidth>
#include <osg/PolygonOffset>
#include <osg/TextureBuffer>

#include "osgPliant/ContextProgram.h"

namespace osgPliant {

namespace {

constexpr int shapesUnit = 5;  // as the bodies of a Stage have it
constexpr float hiddenAtFirst = 0.25f;
constexpr auto forced = osg::StateAttribute::ON | osg::StateAttribute::PROTECTED;
constexpr auto off = osg::StateAttribute::OFF | osg::StateAttribute::PROTECTED;
/// After what is not blended, before what is.
enum DebugBin { HiddenBin = 5, SeenBin = 6, ClearBin = 11 };

const char* const lineVertex = R"(#version 330 compatibility
out vec4 colour;
void main() {
    colour = gl_Color;
    gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;
}
)";
const char* const lineFragment = R"(#version 330 compatibility
uniform float pliantStrength;
in vec4 colour;
void main() {
    gl_FragColor = vec4(colour.rgb, colour.a * pliantStrength);
}
)";
// gl_Vertex is a point of the unit sphere, gl_MultiTexCoord0.x the end that it belongs to.
const char* const capsuleVertex = R"(#version 330 compatibility
uniform samplerBuffer pliantShapes;  // per shape: middle and radius of either end, colour
out vec4 colour;
out vec3 normal;
void main() {
    vec4 from = texelFetch(pliantShapes, 3 * gl_InstanceID);
    vec4 to = texelFetch(pliantShapes, 3 * gl_InstanceID + 1);
    colour = texelFetch(pliantShapes, 3 * gl_InstanceID + 2);
    vec3 along = to.xyz - from.xyz;
    vec3 z = length(along) > 0.0 ? normalize(along) : vec3(0.0, 0.0, 1.0);
    vec3 x = normalize(cross(z, abs(z.x) < 0.7 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)));
    vec3 n = mat3(x, cross(z, x), z) * gl_Vertex.xyz;
    vec4 end = mix(from, to, gl_MultiTexCoord0.x);
    normal = gl_NormalMatrix * n;
    gl_Position = gl_ModelViewProjectionMatrix * vec4(end.xyz + end.w * n, 1.0);
}
)";
// Lit from the eye. What is seen through is densest at its rim, as a bubble is.
const char* const capsuleFragment = R"(#version 330 compatibility
uniform float pliantStrength;
in vec4 colour;
in vec3 normal;
void main() {
    float facing = abs(normalize(normal).z);
    float rim = (1.0 - colour.a) * 0.7 * pow(1.0 - facing, 3.0);
    gl_FragColor = vec4(colour.rgb * (0.35 + 0.65 * facing), (colour.a + rim) * pliantStrength);
}
)";

osg::ref_ptr<osg::Program> createProgram(const char* name, const char* vertex, const char* fragment) {
    osg::ref_ptr<osg::Program> program = new ContextProgram;
    program->setName(name);
    program->addShader(new osg::Shader(osg::Shader::VERTEX, vertex));
    program->addShader(new osg::Shader(osg::Shader::FRAGMENT, fragment));
    return program;
}

osg::ref_ptr<osg::StateSet> createState(osg::Program* program, int bin, osg::Depth* depth, osg::Uniform* strength) {
    osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
    state->setAttributeAndModes(program, forced);
    state->setAttributeAndModes(depth, forced);
    state->setAttributeAndModes(new osg::BlendFunc, forced);
    state->setAttributeAndModes(new osg::LineWidth(2.0f), forced);
    state->setMode(GL_CULL_FACE, off);
    state->setRenderBinDetails(bin, "RenderBin");
    state->addUniform(strength, forced);
    state->addUniform(new osg::Uniform("pliantShapes", shapesUnit), forced);
    return state;
}

/// A sphere in two halves: the lower one belongs to end 0, the upper one to end 1, and triangles join them.
struct UnitCapsule {
    static constexpr int around = 24, rings = 12;  ///< even: the middle ring is there twice
    osg::ref_ptr<osg::Vec3Array> positions = new osg::Vec3Array;
    osg::ref_ptr<osg::Vec2Array> ends = new osg::Vec2Array;
    osg::ref_ptr<osg::DrawElementsUShort> triangles = new osg::DrawElementsUShort(GL_TRIANGLES);

    UnitCapsule() {
        constexpr double pi = 3.14159265358979323846;
        for (int row = 0; row <= rings + 1; ++row) {
            const int ring = row <= rings / 2 ? row : row - 1;
            const double tilt = pi * (static_cast<double>(ring) / rings - 0.5);
            for (int i = 0; i < around; ++i) {
                const double turn = 2.0 * pi * i / around;
                positions->push_back(osg::Vec3(
                    osg::Vec3d(std::cos(tilt) * std::cos(turn), std::cos(tilt) * std::sin(turn), std::sin(tilt))));
                ends->push_back(osg::Vec2(row <= rings / 2 ? 0.0f : 1.0f, 0.0f));
            }
        }
        const auto corner = [](int row, int i) { return static_cast<unsigned short>(row * around + i % around); };
        for (int row = 0; row <= rings; ++row)
            for (int i = 0; i < around; ++i)
                for (const unsigned short c : {corner(row, i), corner(row, i + 1), corner(row + 1, i + 1),
                                               corner(row, i), corner(row + 1, i + 1), corner(row + 1, i)})
                    triangles->push_back(c);
    }
};

osg::ref_ptr<osg::Geometry> createGeometry(osg::StateSet* state) {
    osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
    geometry->setUseDisplayList(false);
    geometry->setUseVertexBufferObjects(true);
    geometry->setDataVariance(osg::Object::DYNAMIC);
    geometry->setStateSet(state);
    geometry->setNodeMask(0);
    return geometry;
}

}  // namespace

DebugStates::DebugStates() : _strength(new osg::Uniform("pliantStrength", hiddenAtFirst)) {
    _strength->setDataVariance(osg::Object::DYNAMIC);
    const osg::ref_ptr<osg::Uniform> whole = new osg::Uniform("pliantStrength", 1.0f);
    const osg::ref_ptr<osg::Program> line = createProgram("osgPliant debug lines", lineVertex, lineFragment);
    const osg::ref_ptr<osg::Program> capsule =
        createProgram("osgPliant debug capsules", capsuleVertex, capsuleFragment);
    const osg::ref_ptr<osg::Depth> seen = new osg::Depth(osg::Depth::LEQUAL, 0.0, 1.0, true);
    const osg::ref_ptr<osg::Depth> hidden = new osg::Depth(osg::Depth::GREATER, 0.0, 1.0, false);
    const osg::ref_ptr<osg::Depth> clear = new osg::Depth(osg::Depth::LEQUAL, 0.0, 1.0, false);
    _lines[0] = createState(line, SeenBin, seen, whole);
    _lines[1] = createState(line, HiddenBin, hidden, _strength);
    _discs[0] = createState(line, SeenBin, seen, whole);
    _discs[1] = createState(line, HiddenBin, hidden, _strength);
    for (const auto& state : _discs) {  // before the surface that they lie on, not in it
        state->setAttributeAndModes(new osg::PolygonOffset(-2.0f, -2.0f), forced);
    }
    _capsules[0] = createState(capsule, SeenBin, seen, whole);
    _capsules[1] = createState(capsule, HiddenBin, hidden, _strength);
    _clear = createState(capsule, ClearBin, clear, whole);
}

float DebugStates::getHiddenStrength() const {
    float strength = 0.0f;
    _strength->get(strength);
    return strength;
}

void DebugDrawable::setShown(bool seen, bool hidden) {
    for (std::size_t i = 0; i < _drawables.size(); ++i) {
        _drawables[i]->setNodeMask(seen && (i == 0 || hidden) ? ~0u : 0u);
        _drawables[i]->dirtyBound();
    }
}

void DebugVertices::create(GLenum mode, osg::StateSet* seen, osg::StateSet* hidden) {
    _positions = new osg::Vec3Array;
    _colours = new osg::Vec4Array;
    _draw = new osg::DrawArrays(mode, 0, 0);
    for (osg::StateSet* state : {seen, hidden}) {
        const osg::ref_ptr<osg::Geometry> geometry = createGeometry(state);
        geometry->setVertexArray(_positions);
        geometry->setColorArray(_colours, osg::Array::BIND_PER_VERTEX);
        geometry->addPrimitiveSet(_draw);
        _drawables.push_back(geometry);
    }
}

void DebugVertices::clear() {
    _positions->clear();
    _colours->clear();
}

void DebugVertices::addVertex(const osg::Vec3& position, const osg::Vec4& colour) {
    _positions->push_back(position);
    _colours->push_back(colour);
}

void DebugVertices::finish(bool shown, bool hidden) {
    _positions->dirty();
    _colours->dirty();
    _draw->setCount(static_cast<GLsizei>(_positions->size()));
    setShown(shown && !_positions->empty(), hidden);
}

void DebugLines::add(const osg::Vec3& from, const osg::Vec3& to, const osg::Vec4& colour) {
    addVertex(from, colour);
    addVertex(to, colour);
}

void DebugDiscs::create(const DebugStates& states) {
    DebugVertices::create(GL_TRIANGLES, states.discs(false), states.discs(true));
}

/// An octagon, in six triangles of its first corner and two neighbours.
void DebugDiscs::add(const osg::Vec3d& centre, const osg::Vec3d& normal, double radius, const osg::Vec4& colour) {
    constexpr int corners = 8;
    constexpr double turn = 2.0 * 3.14159265358979323846 / corners;
    const osg::Vec3d aside = std::abs(normal.z()) < 0.7 ? osg::Vec3d(0.0, 0.0, 1.0) : osg::Vec3d(1.0, 0.0, 0.0);
    osg::Vec3d x = aside ^ normal;
    x.normalize();
    const osg::Vec3d y = normal ^ x;
    const auto corner = [&](int i) {
        return osg::Vec3(centre + x * (radius * std::cos(turn * i)) + y * (radius * std::sin(turn * i)));
    };
    for (int i = 1; i + 1 < corners; ++i)
        for (const int at : {0, i, i + 1}) addVertex(corner(at), colour);
}

/// The box of all instances.
class DebugCapsules::Bound : public osg::Drawable::ComputeBoundingBoxCallback {
public:
    osg::BoundingBox box;
    osg::BoundingBox computeBound(const osg::Drawable&) const override { return box; }
};

void DebugCapsules::create(const DebugStates& states, bool seenThrough) {
    const UnitCapsule unit;
    _draw = new osg::DrawElementsUShort(*unit.triangles);
    _bound = new Bound;
    _texels = new osg::FloatArray(12);
    const osg::ref_ptr<osg::VertexBufferObject> buffer = new osg::VertexBufferObject;
    buffer->setTarget(GL_TEXTURE_BUFFER);
    buffer->setUsage(GL_STREAM_DRAW);
    _texels->setBufferObject(buffer);
    const osg::ref_ptr<osg::TextureBuffer> texture = new osg::TextureBuffer(_texels);
    texture->setInternalFormat(GL_RGBA32F_ARB);
    texture->setUnRefImageDataAfterApply(false);
    texture->setDataVariance(osg::Object::DYNAMIC);
    for (const bool hidden : {false, true}) {
        if (hidden && seenThrough) continue;
        osg::StateSet* shared = seenThrough ? states.clearCapsules() : states.capsules(hidden);
        const osg::ref_ptr<osg::StateSet> state = new osg::StateSet(*shared);
        state->setTextureAttribute(shapesUnit, texture, forced);
        state->setDataVariance(osg::Object::DYNAMIC);
        const osg::ref_ptr<osg::Geometry> geometry = createGeometry(state);
        geometry->setVertexArray(unit.positions);
        geometry->setTexCoordArray(0, unit.ends, osg::Array::BIND_PER_VERTEX);
        geometry->addPrimitiveSet(_draw);
        geometry->setComputeBoundingBoxCallback(_bound);
        _drawables.push_back(geometry);
    }
}

void DebugCapsules::clear() {
    _count = 0;
    _bound->box.init();
}

void DebugCapsules::add(const osg::Vec4& from, const osg::Vec4& to, const osg::Vec4& colour) {
    if (_texels->size() < 12 * (_count + 1)) _texels->resize(24 * (_count + 1));
    auto out = _texels->begin() + static_cast<std::ptrdiff_t>(12 * _count);
    for (const osg::Vec4* texel : {&from, &to, &colour})
        for (unsigned int i = 0; i < 4; ++i) *out++ = (*texel)[i];
    for (const osg::Vec4* end : {&from, &to}) {
        const osg::Vec3 middle(end->x(), end->y(), end->z()), reach(end->w(), end->w(), end->w());
        _bound->box.expandBy(middle - reach);
        _bound->box.expandBy(middle + reach);
    }
    ++_count;
}

void DebugCapsules::finish(bool shown, bool hidden) {
    _texels->dirty();
    _draw->setNumInstances(static_cast<int>(_count));
    setShown(shown && _count > 0, hidden);
}

}  // namespace osgPliant
