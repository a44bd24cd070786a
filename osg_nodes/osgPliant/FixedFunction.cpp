// SPDX-License-Identifier: Zlib
#include "osgPliant/FixedFunction.h"

#include <osg/LightModel>
#include <osg/Material>
#include <osg/TexGen>

namespace osgPliant {

namespace {

constexpr unsigned int lightCount = 8;
constexpr GLenum generators[4] = {GL_TEXTURE_GEN_S, GL_TEXTURE_GEN_T, GL_TEXTURE_GEN_R, GL_TEXTURE_GEN_Q};
const char* const axes[4] = {"S", "T", "R", "Q"};
const char* const parts[4] = {"x", "y", "z", "w"};

/// One light on one side of the surface, added to `sum` and `highlight`.
const char* const oneLight = R"(    {
        vec4 place = gl_LightSource[LIGHT].position;
        vec3 toLight = normalize(place.xyz);
        float share = 1.0;
        if (place.w != 0.0) {
            vec3 way = place.xyz / place.w - eye;
            float away = length(way);
            toLight = way / away;
            share = 1.0 / (gl_LightSource[LIGHT].constantAttenuation + gl_LightSource[LIGHT].linearAttenuation * away +
                           gl_LightSource[LIGHT].quadraticAttenuation * away * away);
            if (gl_LightSource[LIGHT].spotCutoff != 180.0) {
                float inside = dot(-toLight, normalize(gl_LightSource[LIGHT].spotDirection));
                share *= inside < gl_LightSource[LIGHT].spotCosCutoff ? 0.0
                                                                      : pow(inside, gl_LightSource[LIGHT].spotExponent);
            }
        }
        float facing = max(dot(n, toLight), 0.0);
        sum += share * (ambient.rgb * gl_LightSource[LIGHT].ambient.rgb +
                        facing * diffuse.rgb * gl_LightSource[LIGHT].diffuse.rgb);
        if (facing > 0.0) {
            float middle = max(dot(n, normalize(toLight + VIEWER)), 0.0);
            highlight += share * (shininess > 0.0 ? pow(middle, shininess) : 1.0) * specular.rgb *
                         gl_LightSource[LIGHT].specular.rgb;
        }
    }
)";

std::string replaced(std::string text, const std::string& word, const std::string& by) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
        text.replace(at, word.size(), by);
    return text;
}

/// Whether the vertex colour stands for a property of the material.
bool tracks(GLenum mode, GLenum property) {
    return mode == property || (mode == GL_AMBIENT_AND_DIFFUSE && (property == GL_AMBIENT || property == GL_DIFFUSE));
}

/// How a coordinate is generated. OpenGL's maps have no fourth coordinate, spheres no third one either: OpenSceneGraph
/// leaves these as its default sets them, by planes of the object, and in the first frame, before it has applied that,
/// as OpenGL's are, where all of these planes are 0.
GLenum generatorOf(const osg::TexGen* texgen, std::size_t axis) {
    if (!texgen) return GL_EYE_LINEAR;
    const auto mode = static_cast<GLenum>(texgen->getMode());
    const bool isMap = mode == GL_SPHERE_MAP || mode == GL_REFLECTION_MAP_ARB || mode == GL_NORMAL_MAP_ARB;
    const std::size_t coordinates = mode == GL_SPHERE_MAP ? 2 : 3;
    return isMap && axis >= coordinates ? GL_OBJECT_LINEAR : mode;
}

}  // namespace

FixedFunction::FixedFunction(const AppliedState& state, unsigned int texcoords) {
    _lighting = state.isOn(GL_LIGHTING);
    _depthAlone = state.isDepthAlone();
    for (unsigned int light = 0; _lighting && light < lightCount; ++light)
        _lights |= state.isOn(GL_LIGHT0 + light) ? 1u << light : 0u;
    if (const auto* model = static_cast<const osg::LightModel*>(state.getAttribute(osg::StateAttribute::LIGHTMODEL))) {
        _localViewer = model->getLocalViewer();
        _twoSided = model->getTwoSided();
        _separateSpecular = model->getColorControl() == osg::LightModel::SEPARATE_SPECULAR_COLOR;
    }
    const auto* material = static_cast<const osg::Material*>(state.getAttribute(osg::StateAttribute::MATERIAL));
    if (material && material->getColorMode() != osg::Material::OFF)
        _colourTracks = static_cast<GLenum>(material->getColorMode());
    else if (!material && state.isOn(GL_COLOR_MATERIAL))
        _colourTracks = GL_AMBIENT_AND_DIFFUSE;
    _normalize = state.isOn(GL_NORMALIZE);
    _rescale = !_normalize && state.isOn(GL_RESCALE_NORMAL);

    _units = texcoords;
    for (unsigned int unit = 0; unit < std::min(state.getTextureUnitCount(), fixedFunctionUnits); ++unit) {
        if (state.getTextureAttribute(unit, osg::StateAttribute::TEXTURE)) _units |= 1u << unit;
        const auto* texgen =
            static_cast<const osg::TexGen*>(state.getTextureAttribute(unit, osg::StateAttribute::TEXGEN));
        for (std::size_t axis = 0; axis < 4; ++axis) {
            if (!state.isTextureModeOn(unit, generators[axis])) continue;
            _generated[unit][axis] = generatorOf(texgen, axis);
            _units |= 1u << unit;
        }
    }
}

void FixedFunction::addModesTo(osg::StateSet& state) const {
    if (!_lighting) return;
    if (_twoSided) state.setMode(GL_VERTEX_PROGRAM_TWO_SIDE, osg::StateAttribute::ON);
    if (_separateSpecular) state.setMode(GL_COLOR_SUM, osg::StateAttribute::ON);
}

bool FixedFunction::needsNormal() const {
    if (_lighting && !_depthAlone) return true;
    for (const auto& unit : _generated) {
        for (const GLenum mode : unit)
            if (mode == GL_SPHERE_MAP || mode == GL_NORMAL_MAP_ARB || mode == GL_REFLECTION_MAP_ARB) return true;
    }
    return false;
}

std::string FixedFunction::lightText() const {
    std::string text = R"(
void pliantLit(vec3 n, vec3 eye, vec4 emission, vec4 ambient, vec4 diffuse, vec4 specular, float shininess,
               out vec4 colour, out vec4 highlights) {
    vec3 sum = emission.rgb + ambient.rgb * gl_LightModel.ambient.rgb;
    vec3 highlight = vec3(0.0);
)";
    for (unsigned int light = 0; light < lightCount; ++light)
        if (_lights & (1u << light)) text += replaced(oneLight, "LIGHT]", std::to_string(light) + "]");
    text = replaced(text, "VIEWER", _localViewer ? "normalize(-eye)" : "vec3(0.0, 0.0, 1.0)");
    text += _separateSpecular ? "    colour = vec4(sum, diffuse.a);\n    highlights = vec4(highlight, 1.0);\n"
                              : "    colour = vec4(sum + highlight, diffuse.a);\n    highlights = vec4(0.0);\n";
    return text + "}\n";
}

std::string FixedFunction::colourText() const {
    if (!_lighting)
        return "    gl_FrontColor = gl_BackColor = pliantColour;\n    gl_FrontSecondaryColor = gl_BackSecondaryColor = "
               "gl_SecondaryColor;\n";
    if (_depthAlone)
        return std::string("    gl_FrontColor = gl_BackColor = vec4(vec3(0.0), ") +
               (tracks(_colourTracks, GL_DIFFUSE) ? "pliantColour.a" : "gl_FrontMaterial.diffuse.a * pliantTint.a") +
               ");\n    gl_FrontSecondaryColor = gl_BackSecondaryColor = vec4(0.0);\n";
    std::string text;
    for (const char* side : {"Front", "Back"}) {
        if (!_twoSided && side[0] == 'B') break;
        const std::string material = std::string("gl_") + side + "Material.";
        // Bodies have colours of their own beside the material's.
        const auto property = [&](GLenum which, const char* name) {
            if (tracks(_colourTracks, which)) return std::string("pliantColour");
            const bool tinted = which == GL_AMBIENT || which == GL_DIFFUSE;
            return material + name + (tinted ? " * pliantTint" : "");
        };
        text += "    pliantLit(" + std::string(side[0] == 'B' ? "-n" : "n") + ", eye.xyz, " +
                property(GL_EMISSION, "emission") + ", " + property(GL_AMBIENT, "ambient") + ", " +
                property(GL_DIFFUSE, "diffuse") + ", " + property(GL_SPECULAR, "specular") + ", " + material +
                "shininess, lit, highlights);\n    gl_" + side + "Color = lit;\n    gl_" + side +
                "SecondaryColor = highlights;\n";
    }
    return text;
}

std::string FixedFunction::texcoordText(unsigned int unit) const {
    const std::string number = std::to_string(unit);
    std::string text = "    t = gl_MultiTexCoord" + number + ";\n";
    for (std::size_t axis = 0; axis < 4; ++axis) {
        const std::string plane = std::string("Plane") + axes[axis] + "[" + number + "]";
        std::string value;
        switch (_generated[unit][axis]) {
            case GL_OBJECT_LINEAR:
                value = "dot(pliantPosition, gl_Object" + plane + ")";
                break;
            case GL_EYE_LINEAR:
                value = "dot(eye, gl_Eye" + plane + ")";
                break;
            case GL_SPHERE_MAP:
                value = std::string("pliantSphere(reflect(normalize(eye.xyz), n)).") + (axis == 0 ? "x" : "y");
                break;
            case GL_NORMAL_MAP_ARB:
                value = std::string("vec4(n, 1.0).") + parts[axis];
                break;
            case GL_REFLECTION_MAP_ARB:
                value = std::string("vec4(reflect(normalize(eye.xyz), n), 1.0).") + parts[axis];
                break;
            default:
                continue;
        }
        text += std::string("    t.") + parts[axis] + " = " + value + ";\n";
    }
    return text + "    gl_TexCoord[" + number + "] = gl_TextureMatrix[" + number + "] * t;\n";
}

std::string FixedFunction::getText() const {
    std::string text = R"(
vec2 pliantSphere(vec3 r) {
    return r.xy / (2.0 * length(r + vec3(0.0, 0.0, 1.0))) + 0.5;
}
)";
    if (_lighting && !_depthAlone) text += lightText();
    text += "\nvoid pliantMain() {\n    vec4 eye = pliantModelView * pliantPosition, t, lit, highlights;\n";
    if (needsNormal()) {
        text += "    vec3 n = pliantNormalMatrix * pliantNormal;\n";
        if (_normalize) text += "    n = normalize(n);\n";
        if (_rescale) text += "    n *= gl_NormalScale;\n";
    }
    text += colourText();
    for (unsigned int unit = 0; unit < fixedFunctionUnits; ++unit)
        if (_units & (1u << unit)) text += texcoordText(unit);
    return text +
           "    gl_FogFragCoord = abs(eye.z);\n    gl_ClipVertex = eye;\n    gl_Position = "
           "pliantModelViewProjection * pliantPosition;\n}\n";
}

}  // namespace osgPliant
