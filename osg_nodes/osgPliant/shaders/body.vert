#version 330 compatibility
// u = U q and n = N + dN q on the instanced bodies of one model (PLIANT_CHUNKS: ceil(r / 4)), carried by bones where they
// are characters (PLIANT_BONES: B); plain otherwise.
#pragma import_defines(PLIANT_CHUNKS, PLIANT_BONES, PLIANT_COLOURS, PLIANT_DEPTH_ONLY, PLIANT_SHADOW_TAPS, PLIANT_GRID)

in float pliantVertex;          // number of the vertex: gl_VertexID changes when tools reorder vertices
uniform samplerBuffer pliantBasis;   // the layout of both: osgPliant/TexelLayout.h, whose numbers stand
uniform samplerBuffer pliantBodies;  // behind #version as PLIANT_BODY_... and PLIANT_BASIS_...
uniform int pliantFirst;             // body of instance 0
uniform mat4 osg_ViewMatrixInverse;

out vec3 eyePosition;
out vec3 eyeNormal;
out vec2 texcoord;
out vec4 colour;
#ifdef PLIANT_SHADOW_TAPS
uniform sampler2DShadow shadowTexture0;
out vec4 shadowPosition;
out vec4 shadowBehind;  // of back faces, which look the other way
#endif
#ifdef PLIANT_GRID
out vec3 worldPosition;
#endif

void main() {
    vec3 x = gl_Vertex.xyz;
    vec3 n = gl_Normal;
#ifdef PLIANT_CHUNKS
#ifdef PLIANT_BONES
    int body = (pliantFirst + gl_InstanceID) *
               (PLIANT_BODY_COORDINATES + PLIANT_CHUNKS + PLIANT_BONE_ROWS * PLIANT_BONES);
    int vertex = int(pliantVertex) * (PLIANT_BASIS_EACH * PLIANT_CHUNKS + PLIANT_BONE_EACH);
    int row = vertex + PLIANT_BONE_EACH;
#else
    int body = (pliantFirst + gl_InstanceID) * (PLIANT_BODY_COORDINATES + PLIANT_CHUNKS);
    int row = int(pliantVertex) * (PLIANT_BASIS_EACH * PLIANT_CHUNKS);
#endif
    vec3 moved = vec3(0.0), turned = vec3(0.0);
    for (int chunk = 0; chunk < PLIANT_CHUNKS; ++chunk) {
        vec4 q = texelFetch(pliantBodies, body + PLIANT_BODY_COORDINATES + chunk);
        int u = row + PLIANT_BASIS_EACH * chunk + PLIANT_BASIS_POSITION;
        moved += vec3(dot(texelFetch(pliantBasis, u), q), dot(texelFetch(pliantBasis, u + 1), q),
                      dot(texelFetch(pliantBasis, u + 2), q));
#ifndef PLIANT_DEPTH_ONLY
        int dn = row + PLIANT_BASIS_EACH * chunk + PLIANT_BASIS_NORMAL;
        turned += vec3(dot(texelFetch(pliantBasis, dn), q), dot(texelFetch(pliantBasis, dn + 1), q),
                       dot(texelFetch(pliantBasis, dn + 2), q));
#endif
    }
#ifdef PLIANT_BONES
    pliantFollowBones(pliantBasis, pliantBodies, vertex, body + PLIANT_BODY_COORDINATES + PLIANT_CHUNKS, moved, turned,
                      x, n);
#else
    x += moved;
    n += turned;
#endif
    vec4 frameX = texelFetch(pliantBodies, body + PLIANT_BODY_FRAME);
    vec4 frameY = texelFetch(pliantBodies, body + PLIANT_BODY_FRAME + 1);
    vec4 frameZ = texelFetch(pliantBodies, body + PLIANT_BODY_FRAME + 2);
    x = vec3(dot(frameX, vec4(x, 1.0)), dot(frameY, vec4(x, 1.0)), dot(frameZ, vec4(x, 1.0)));
    n = vec3(dot(frameX.xyz, n), dot(frameY.xyz, n), dot(frameZ.xyz, n));
#endif
    vec4 eye = gl_ModelViewMatrix * vec4(x, 1.0);
    gl_Position = gl_ProjectionMatrix * eye;
#ifndef PLIANT_DEPTH_ONLY
    eyePosition = eye.xyz;
    eyeNormal = normalize(gl_NormalMatrix * n);
    texcoord = gl_MultiTexCoord0.xy;
    colour = vec4(1.0);
#ifdef PLIANT_COLOURS
    colour = gl_Color;
#endif
#ifdef PLIANT_CHUNKS
    colour *= texelFetch(pliantBodies, body + PLIANT_BODY_COLOUR);
#endif
#ifdef PLIANT_SHADOW_TAPS
    // Look up a texel further out along the normal: surfaces then do not shadow themselves.
    float texelsPerMetre = length(gl_EyePlaneS[1].xyz) * float(textureSize(shadowTexture0, 0).x);
    vec4 probe = vec4(eye.xyz + eyeNormal * (1.5 / max(texelsPerMetre, 1e-6)), 1.0);
    shadowPosition = vec4(dot(probe, gl_EyePlaneS[1]), dot(probe, gl_EyePlaneT[1]), dot(probe, gl_EyePlaneR[1]),
                          dot(probe, gl_EyePlaneQ[1]));
    probe = vec4(eye.xyz - eyeNormal * (1.5 / max(texelsPerMetre, 1e-6)), 1.0);
    shadowBehind = vec4(dot(probe, gl_EyePlaneS[1]), dot(probe, gl_EyePlaneT[1]), dot(probe, gl_EyePlaneR[1]),
                        dot(probe, gl_EyePlaneQ[1]));
#endif
#ifdef PLIANT_GRID
    worldPosition = (osg_ViewMatrixInverse * eye).xyz;
#endif
#endif
}
