// SPDX-License-Identifier: Zlib
#include "osgPliant/DeformingShaders.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <regex>

#include "osgPliant/Shaders.h"
#include "osgPliant/TexelLayout.h"

namespace osgPliant {

namespace {

/// What is renamed, and what the deforming main() has to compute where it is used.
struct Renamed {
    const char* name;
    const char* by;
    const char* declaration;
    const char* value;
};

const Renamed renamed[] = {
    {"gl_Vertex", "pliantPosition", "vec4 pliantPosition;", nullptr},
    {"gl_Normal", "pliantNormal", "vec3 pliantNormal;", nullptr},
    {"gl_Color", "pliantColour", "vec4 pliantColour;", "gl_Color * pliantTint"},
    {"gl_ModelViewMatrix", "pliantModelView", "mat4 pliantModelView;", nullptr},
    {"gl_ModelViewProjectionMatrix", "pliantModelViewProjection", "PLIANT_EXACT mat4 pliantModelViewProjection;",
     "gl_ProjectionMatrix * pliantModelView"},
    {"gl_NormalMatrix", "pliantNormalMatrix", "mat3 pliantNormalMatrix;", "pliantCofactors(mat3(pliantModelView))"},
    {"gl_ModelViewMatrixInverse", "pliantModelViewInverse", "mat4 pliantModelViewInverse;", "inverse(pliantModelView)"},
    {"gl_ModelViewMatrixTranspose", "pliantModelViewTranspose", "mat4 pliantModelViewTranspose;",
     "transpose(pliantModelView)"},
    {"gl_ModelViewMatrixInverseTranspose", "pliantModelViewInverseTranspose", "mat4 pliantModelViewInverseTranspose;",
     "transpose(inverse(pliantModelView))"},
    {"gl_ModelViewProjectionMatrixInverse", "pliantModelViewProjectionInverse",
     "mat4 pliantModelViewProjectionInverse;", "inverse(gl_ProjectionMatrix * pliantModelView)"},
    {"gl_ModelViewProjectionMatrixTranspose", "pliantModelViewProjectionTranspose",
     "mat4 pliantModelViewProjectionTranspose;", "transpose(gl_ProjectionMatrix * pliantModelView)"},
    {"gl_ModelViewProjectionMatrixInverseTranspose", "pliantModelViewProjectionInverseTranspose",
     "mat4 pliantModelViewProjectionInverseTranspose;", "transpose(inverse(gl_ProjectionMatrix * pliantModelView))"},
};

/// OpenSceneGraph's own names for three of them, which shaders declare as uniforms.
const std::pair<const char*, const char*> aliases[] = {
    {"osg_Vertex", "gl_Vertex"},
    {"osg_Normal", "gl_Normal"},
    {"osg_Color", "gl_Color"},
    {"osg_ModelViewMatrix", "gl_ModelViewMatrix"},
    {"osg_ModelViewProjectionMatrix", "gl_ModelViewProjectionMatrix"},
    {"osg_NormalMatrix", "gl_NormalMatrix"},
};

bool isWordCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Replaces whole words. @return whether there were any
bool replaceWord(std::string& text, const std::string& word, const std::string& by) {
    bool any = false;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
        const std::size_t end = at + word.size();
        const bool whole =
            (at == 0 || !isWordCharacter(text[at - 1])) && (end == text.size() || !isWordCharacter(text[end]));
        if (whole) text.replace(at, word.size(), by);
        any |= whole;
        at += whole ? by.size() : word.size();
    }
    return any;
}

bool hasWord(const std::string& text, const std::string& word) {
    std::string copy = text;
    return replaceWord(copy, word, word);
}

/// Takes a #version line out of the text. @return its number, 110 where there is none, 0 where it is none of GLSL's
int takeVersion(std::string& text, bool& embedded) {
    static const std::regex line("(^|\\n)[ \\t]*#[ \\t]*version[ \\t]+([0-9]+)([ \\t]+[a-z]+)?[^\\n]*");
    std::smatch match;
    if (!std::regex_search(text, match, line)) return 110;
    const std::string digits = match[2];
    int version = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), version).ec != std::errc()) version = 0;
    embedded = match[3].str().find("es") != std::string::npos || version == 100 || version == 300;
    text = match.prefix().str() + match[1].str() + match.suffix().str();
    return version;
}

/// Takes #extension lines out of the text: they have to come before anything else.
std::string takeExtensions(std::string& text) {
    static const std::regex line("[ \\t]*#[ \\t]*extension[^\\n]*(\\n|$)");
    std::string lines, rest;
    auto from = text.cbegin();
    for (std::sregex_iterator match(text.begin(), text.end(), line), end; match != end; ++match) {
        lines += match->str();
        rest.append(from, text.cbegin() + match->position());
        from = text.cbegin() + match->position() + match->length();
    }
    rest.append(from, text.cend());
    text = rest;
    if (!lines.empty() && lines.back() != '\n') lines += '\n';
    return lines;
}

/// A declaration of one variable. Its first group is what stands before, its fourth the type.
std::regex declarationOf(const std::string& qualifiers, const std::string& type, const std::string& name) {
    return std::regex("(^|[;\\n}])[ \\t]*(layout[ \\t]*\\([^)]*\\)[ \\t]*)?(" + qualifiers + ")[ \\t]+(" + type +
                      ")[ \\t]+" + name + "[ \\t]*;");
}

/// Uses OpenGL's names for what has two.
void unalias(std::string& text) {
    for (const auto& [alias, name] : aliases) {
        text = std::regex_replace(text, declarationOf("uniform|in|attribute", "\\w+", alias), "$1");
        replaceWord(text, alias, name);
    }
}

/// Puts OpenGL's name in place of an attribute that is declared under another one.
void takeAttribute(std::string& text, const std::string& attribute, const std::string& name, int components) {
    if (!isIdentifier(attribute)) return;
    const std::regex declaration = declarationOf("in|attribute", "vec[34]", attribute);
    std::smatch match;
    if (!std::regex_search(text, match, declaration)) return;
    const int declared = match[4].str().back() - '0';
    text = std::regex_replace(text, declaration, "$1");
    std::string by = name;
    if (declared < components) by += ".xyz";
    if (declared > components) by = "vec4(" + name + ", 0.0)";
    replaceWord(text, attribute, by);
}

/// Products of matrices as OpenGL makes them for a node, to the last bit: shadow maps of surfaces that shadow
/// themselves hang on it.
const char* const exactText = R"(#extension GL_ARB_gpu_shader5 : enable
#if __VERSION__ >= 400 || defined(GL_ARB_gpu_shader5)
#define PLIANT_EXACT precise
#else
#define PLIANT_EXACT
#endif
)";

const char* const uniformsText = R"(
uniform samplerBuffer pliantBasis;   // see TexelLayout.h; where the processor makes them, the sums
uniform samplerBuffer pliantBodies;  // the same; frames in the eye's
uniform int pliantFirst;             // body of instance 0
uniform int pliantOffset;            // row of vertex 0 of this geometry
uniform int pliantVertices;          // d, where the processor makes the sums
)";

const char* const deformationText = R"(
// The inverse, transposed.
mat3 pliantCofactors(mat3 m) {
    mat3 c = mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
    return c / dot(m[0], c[0]);
}

void main() {
    int body = (pliantFirst + gl_InstanceID) * (PLIANT_BODY_COORDINATES + CHUNKS + PLIANT_BONE_ROWS * BONES);
    vec3 x = gl_Vertex.xyz;
    vec3 n = gl_Normal;
    vec3 moved = vec3(0.0), turned = vec3(0.0);
SUMS KEEP FOLLOW    pliantPosition = vec4(x, gl_Vertex.w);
)";

// A sum of the vertex shader's own.
const char* const sumsText = R"(    int vertex = (pliantOffset + gl_VertexID) * (PLIANT_BASIS_EACH * CHUNKS + BEFORE);
    int row = vertex + BEFORE;
    for (int chunk = 0; chunk < CHUNKS; ++chunk) {
        vec4 q = texelFetch(pliantBodies, body + PLIANT_BODY_COORDINATES + chunk);
        int u = row + PLIANT_BASIS_EACH * chunk + PLIANT_BASIS_POSITION;
        int dn = row + PLIANT_BASIS_EACH * chunk + PLIANT_BASIS_NORMAL;
        moved += vec3(dot(texelFetch(pliantBasis, u), q), dot(texelFetch(pliantBasis, u + 1), q),
                      dot(texelFetch(pliantBasis, u + 2), q));
NORMALS     }
)";

// A sum of the processor's.
const char* const fetchText = R"(    int place = int(texelFetch(pliantBodies, body + PLIANT_BODY_COORDINATES).x);
    int vertex = PLIANT_SUM_HEAD + PLIANT_SUM_EACH * (place * pliantVertices + pliantOffset + gl_VertexID);
    moved = texelFetch(pliantBasis, vertex + PLIANT_SUM_POSITION).xyz;
NORMALS )";
const char* const normalFetch = "    turned = texelFetch(pliantBasis, vertex + PLIANT_SUM_NORMAL).xyz;\n";

// For shaders that read the vertex by no name that could be replaced: what main() has summed, for their own reads.
const char* const functionText = R"(
int pliantVertexRow, pliantBodyRow;
vec3 pliantMoved, pliantTurned;
void pliantDeform(inout vec4 position, inout vec3 normal) {
    int vertex = pliantVertexRow, body = pliantBodyRow;
    vec3 x = position.xyz, n = normal, moved = pliantMoved, turned = pliantTurned;
FOLLOW    position.xyz = x;
    normal = n * (length(normal) / max(length(n), 1e-20));
}
)";
const char* const keptForFunction =
    "    pliantVertexRow = vertex;\n    pliantBodyRow = body;\n    pliantMoved = moved;\n    pliantTurned = turned;\n";
const char* const functionPrototype = "void pliantDeform(inout vec4 position, inout vec3 normal);\n";

const char* const normalLoop =
    R"(        turned += vec3(dot(texelFetch(pliantBasis, dn), q), dot(texelFetch(pliantBasis, dn + 1), q),
                       dot(texelFetch(pliantBasis, dn + 2), q));
)";

const char* const boneCall =
    "    pliantFollowBones(pliantBasis, pliantBodies, vertex, body + PLIANT_BODY_COORDINATES + CHUNKS, moved, turned,\n"
    "                      x, n);\n";

// As long as it was: whoever does not normalise gets what the rest shape has.
const char* const normalEnd = "    pliantNormal = n * (length(gl_Normal) / max(length(n), 1e-20));\n";

// The product of the body's frame and the view, made in double precision: the very matrix that a node there would have.
const char* const frameText =
    R"(    pliantModelView = transpose(mat4(texelFetch(pliantBodies, body + PLIANT_BODY_FRAME),
                                     texelFetch(pliantBodies, body + PLIANT_BODY_FRAME + 1),
                                     texelFetch(pliantBodies, body + PLIANT_BODY_FRAME + 2), vec4(0.0, 0.0, 0.0, 1.0)));
)";

/// Puts a text in place of a word.
void put(std::string& text, const std::string& word, const std::string& by) {
    text.replace(text.find(word), word.size(), by);
}

std::string deformingMain(const std::string& head, const std::string& declarations,
                          const std::map<std::string, bool>& used, bool called, int chunkCount, int boneCount,
                          bool isSummed) {
    const bool normals = used.at("gl_Normal") && (chunkCount > 0 || boneCount > 0);
    std::string text = deformationText, function = called ? functionText : "";
    const std::string follow = boneCount > 0 ? boneCall : "    x += moved;\n    n += turned;\n";
    put(text, "SUMS ", isSummed ? fetchText : sumsText);
    put(text, "KEEP ", called ? keptForFunction : "");
    put(text, "FOLLOW", follow);
    if (called) put(function, "FOLLOW", follow);
    text = uniformsText + function + text;
    text = std::regex_replace(text, std::regex("\\bBONES\\b"), std::to_string(boneCount));
    text = std::regex_replace(text, std::regex("\\bBEFORE\\b"), boneCount > 0 ? "PLIANT_BONE_EACH" : "0");
    put(text, "NORMALS ", !normals ? "" : isSummed ? normalFetch : normalLoop);
    text = std::regex_replace(text, std::regex("\\bCHUNKS\\b"), std::to_string(chunkCount));
    if (used.at("gl_Normal")) text += normals ? normalEnd : "    pliantNormal = n;\n";
    text += frameText;
    if (used.at("gl_Color")) text += "    pliantTint = texelFetch(pliantBodies, body + PLIANT_BODY_COLOUR);\n";
    for (const Renamed& r : renamed)
        if (r.value && used.at(r.name)) text += std::string("    ") + r.by + " = " + r.value + ";\n";
    if (boneCount > 0) text = bonesShader + text;
    return head + texelDefines() + declarations + "void pliantMain();\n" + text + "    pliantMain();\n}\n";
}

}  // namespace

bool isIdentifier(const std::string& text) {
    return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
           std::all_of(text.begin(), text.end(), isWordCharacter);
}

namespace {

/// Whether shaders call the function that deforms. Definitions and prototypes are no calls, nor are comments.
bool callDeformation(const std::vector<std::string>& sources) {
    const std::regex comment("//[^\\n]*|/\\*[^*]*\\*+(?:[^/*][^*]*\\*+)*/"), declared("\\bvoid\\s+pliantDeform\\s*\\("),
        call("\\bpliantDeform\\s*\\(");
    return std::any_of(sources.begin(), sources.end(), [&](const std::string& text) {
        return std::regex_search(std::regex_replace(std::regex_replace(text, comment, " "), declared, ""), call);
    });
}

/// Renames what is the body's in a text. @param called whether shaders say themselves what shall deform
void renameBuiltIns(std::string& text, bool called, std::map<std::string, bool>& used) {
    const std::regex transform("\\bftransform\\s*\\(\\s*\\)");
    text = std::regex_replace(
        text, transform,
        called ? "(gl_ModelViewProjectionMatrix * pliantPosition)" : "(gl_ModelViewProjectionMatrix * gl_Vertex)");
    for (const Renamed& r : renamed) {
        const bool isRead = !r.value && r.name != std::string("gl_ModelViewMatrix");
        const bool any = called && isRead ? hasWord(text, r.name) : replaceWord(text, r.name, r.by);
        used[r.name] |= any || hasWord(text, r.by);
    }
    used["gl_Color"] = used["gl_Color"] || hasWord(text, "pliantTint");
    // That of other nodes, which need one.
    const std::regex definition("\\bvoid\\s+pliantDeform(\\s*\\([^(){};]*\\)\\s*\\{)");
    text = std::regex_replace(text, definition, "void pliantLeftAlone$1");
}

}  // namespace

DeformingShaders makeDeforming(const std::vector<std::string>& sources, int chunkCount, const AttributeNames& names,
                               int boneCount, bool isSummed) {
    DeformingShaders result;
    int version = 330;
    std::string extensions;
    bool hasMain = false;
    const bool called = callDeformation(sources);
    std::map<std::string, bool> used;
    for (std::string text : sources) {
        bool embedded = false;
        const int stated = takeVersion(text, embedded);
        version = std::max(version, stated);
        if (stated == 0) result.problem = "a #version that GLSL does not have";
        if (embedded) result.problem = "shaders of OpenGL ES";
        extensions += takeExtensions(text);
        unalias(text);
        takeAttribute(text, names.position, "gl_Vertex", 4);
        takeAttribute(text, names.normal, "gl_Normal", 3);
        renameBuiltIns(text, called, used);
        const std::regex mainFunction("\\bvoid\\s+main\\s*\\(");
        hasMain |= std::regex_search(text, mainFunction) || text.find("pliantMain") != std::string::npos;
        result.shaders.push_back(std::regex_replace(text, mainFunction, "void pliantMain("));
    }
    if (!hasMain && result.problem.empty()) result.problem = "vertex shaders without a main()";
    used["gl_Normal"] |= called;
    const std::string head = "#version " + std::to_string(version) + " compatibility\n" + extensions +
                             (used["gl_ModelViewProjectionMatrix"] ? exactText : "");
    std::string declarations = called ? functionPrototype : "";
    for (const Renamed& r : renamed)
        if (used[r.name] || !r.value) declarations += std::string(r.declaration) + "\n";
    if (used["gl_Color"]) declarations += "vec4 pliantTint;\n";
    for (std::string& text : result.shaders) text = head + declarations + text;
    result.main = deformingMain(head, declarations, used, called, chunkCount, boneCount, isSummed);
    return result;
}

}  // namespace osgPliant
