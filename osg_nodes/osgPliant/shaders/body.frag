#version 330 compatibility
// Per-pixel light: a sun (light 0) with soft shadows, a hemisphere of sky and ground, haze, tone mapping, sRGB output.
#pragma import_defines(PLIANT_DEPTH_ONLY, PLIANT_TRANSPARENT, PLIANT_SHADOW_TAPS, PLIANT_TEXTURE, PLIANT_NORMAL_MAP, PLIANT_GRID, PLIANT_LAMPS, PLIANT_EXPOSURE)

uniform mat4 osg_ViewMatrix;
uniform vec3 pliantUp;           // world
uniform vec3 pliantSkyLight;     // linear RGB
uniform vec3 pliantGroundLight;  // linear RGB
uniform vec4 pliantHaze;         // linear RGB, 1/m

in vec3 eyePosition;
in vec3 eyeNormal;
in vec2 texcoord;
in vec4 colour;
#ifdef PLIANT_TEXTURE
uniform sampler2D pliantDiffuseMap;
#endif
#ifdef PLIANT_NORMAL_MAP
uniform sampler2D pliantNormalMap;

// The frame of the texture on the surface, from how both change from pixel to pixel: it bends with the body.
vec3 mappedNormal(vec3 n) {
    vec3 right = dFdx(eyePosition), above = dFdy(eyePosition);
    vec2 s = dFdx(texcoord), t = dFdy(texcoord);
    vec3 acrossRight = cross(above, n), acrossAbove = cross(n, right);
    vec3 tangent = acrossRight * s.x + acrossAbove * t.x;
    vec3 bitangent = acrossRight * s.y + acrossAbove * t.y;
    float scale = inversesqrt(max(max(dot(tangent, tangent), dot(bitangent, bitangent)), 1e-30));
    vec3 mapped = 2.0 * texture(pliantNormalMap, texcoord).xyz - 1.0;
    return normalize(mat3(tangent * scale, bitangent * scale, n) * mapped);
}
#endif
#ifdef PLIANT_SHADOW_TAPS
uniform sampler2DShadow shadowTexture0;
uniform float pliantShadowSoftness;  // texels
in vec4 shadowPosition;
in vec4 shadowBehind;

// Taps on a Vogel spiral, turned by a different angle at every pixel.
float sunVisibility() {
    vec4 place = gl_FrontFacing ? shadowPosition : shadowBehind;
    vec3 p = place.xyz / place.w;
    if (any(lessThan(p.xy, vec2(0.0))) || any(greaterThan(p.xy, vec2(1.0)))) return 1.0;
    p.z = clamp(p.z, 0.0, 1.0);  // the map ends behind the last caster, what receives may be further away
    float turn = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    vec2 reach = pliantShadowSoftness / vec2(textureSize(shadowTexture0, 0));
    vec2 ray = vec2(cos(turn), sin(turn));
    const mat2 goldenTurn = mat2(-0.73736888, 0.67549029, -0.67549029, -0.73736888);
    float lit = 0.0;
    for (int tap = 0; tap < PLIANT_SHADOW_TAPS; ++tap) {
        float radius = sqrt((float(tap) + 0.5) / float(PLIANT_SHADOW_TAPS));
        lit += texture(shadowTexture0, vec3(p.xy + radius * reach * ray, p.z));
        ray = goldenTurn * ray;
    }
    return lit / float(PLIANT_SHADOW_TAPS);
}
#endif

#ifdef PLIANT_GRID
uniform float pliantGrid;  // metres
in vec3 worldPosition;

// Box-filtered checker, -1..1: does not flicker in the distance.
float checker(vec2 p) {
    vec2 width = max(fwidth(p), 1e-4);
    vec2 i = 2.0 * (abs(fract((p - 0.5 * width) * 0.5) - 0.5) - abs(fract((p + 0.5 * width) * 0.5) - 0.5)) / width;
    return i.x * i.y;
}

vec3 gridded(vec3 albedo, vec3 worldNormal) {
    vec3 a = abs(worldNormal);
    vec2 p = a.y > max(a.x, a.z) ? worldPosition.xz : (a.z > a.x ? worldPosition.xy : worldPosition.yz);
    p /= pliantGrid;
    vec2 distance = abs(fract(p - 0.5) - 0.5) / max(fwidth(p), vec2(1e-5));
    float line = 1.0 - smoothstep(0.4, 1.4, min(distance.x, distance.y));
    float fade = clamp(1.0 - 2.0 * max(fwidth(p).x, fwidth(p).y), 0.0, 1.0);
    return albedo * (1.0 + 0.035 * checker(p)) * (1.0 - 0.10 * line * fade);
}
#endif

#ifdef PLIANT_LAMPS
uniform vec4 pliantLampPlaces[8];   // world
uniform vec4 pliantLampColours[8];  // linear RGB at 1 m; cosine of where the cone begins to fade
uniform vec4 pliantLampAxes[8];     // world; cosine of where it ends

vec3 lampLight(vec3 n, vec3 toEye, vec3 albedo) {
    vec3 sum = vec3(0.0);
    float exponent = max(gl_FrontMaterial.shininess, 1.0);
    for (int i = 0; i < PLIANT_LAMPS; ++i) {
        vec3 way = (osg_ViewMatrix * pliantLampPlaces[i]).xyz - eyePosition;
        float distance2 = max(dot(way, way), 1e-4);
        vec3 toLamp = way * inversesqrt(distance2);
        float along = dot(-toLamp, mat3(osg_ViewMatrix) * pliantLampAxes[i].xyz);
        float facing = max(dot(n, toLamp), 0.0) / distance2 *
                       smoothstep(pliantLampAxes[i].w, pliantLampColours[i].w, along);
        vec3 shine = gl_FrontMaterial.specular.rgb * (exponent + 8.0) * 0.04 *
                     pow(max(dot(n, normalize(toLamp + toEye)), 0.0), exponent);
        sum += pliantLampColours[i].rgb * facing * (albedo + shine);
    }
    return sum;
}
#endif

// Filmic curve (Narkowicz's fit of ACES, with its exposure), then sRGB's transfer function, fitted by roots: powers are
// what costs most where there is no graphics card.
vec3 display(vec3 c) {
    c *= 0.6;
#ifdef PLIANT_EXPOSURE
    c *= PLIANT_EXPOSURE;
#endif
    c = clamp(c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
    vec3 second = sqrt(c), fourth = sqrt(second);
    return clamp(0.585122 * second + 0.783140 * fourth - 0.368263 * sqrt(fourth), 0.0, 1.0);
}

#if defined(PLIANT_DEPTH_ONLY) && defined(PLIANT_TRANSPARENT)
// What lets light through lets as many texels of the shadow map through, in Bayer's order [B73]; the penumbra's
// taps make their mean of it.
void letThrough(float opacity) {
    const float order[16] = float[16](0.0, 8.0, 2.0, 10.0, 12.0, 4.0, 14.0, 6.0, 3.0, 11.0, 1.0, 9.0, 15.0, 7.0, 13.0, 5.0);
    ivec2 texel = ivec2(gl_FragCoord.xy) & 3;
    if (opacity < (order[4 * texel.y + texel.x] + 0.5) / 16.0) discard;
}
#endif

void main() {
#ifdef PLIANT_DEPTH_ONLY
#ifdef PLIANT_TRANSPARENT
    letThrough(gl_FrontMaterial.diffuse.a);
#endif
    gl_FragColor = vec4(1.0);
#else
    vec3 n = normalize(gl_FrontFacing ? eyeNormal : -eyeNormal);
#ifdef PLIANT_NORMAL_MAP
    n = mappedNormal(n);
#endif
    vec3 toEye = normalize(-eyePosition);
    vec3 up = mat3(osg_ViewMatrix) * pliantUp;
    vec4 albedo = gl_FrontMaterial.diffuse * colour;
#ifdef PLIANT_TEXTURE
    vec4 texel = texture(pliantDiffuseMap, texcoord);
    albedo *= vec4(texel.rgb * texel.rgb, texel.a);  // near enough to sRGB's inverse
#endif
#ifdef PLIANT_GRID
    albedo.rgb = gridded(albedo.rgb, transpose(mat3(osg_ViewMatrix)) * n);
#endif
    vec3 toSun = normalize(gl_LightSource[0].position.xyz - gl_LightSource[0].position.w * eyePosition);
    float facing = max(dot(n, toSun), 0.0);
#ifdef PLIANT_SHADOW_TAPS
    if (facing > 0.0) facing *= sunVisibility();
#endif
    vec3 ambient = mix(pliantGroundLight, pliantSkyLight, 0.5 + 0.5 * dot(n, up));
    vec3 light = albedo.rgb * (ambient + gl_LightSource[0].diffuse.rgb * facing);
    vec3 middle = normalize(toSun + toEye);
    float exponent = max(gl_FrontMaterial.shininess, 1.0);
    light += gl_FrontMaterial.specular.rgb * gl_LightSource[0].diffuse.rgb * facing * (exponent + 8.0) * 0.04 *
             pow(max(dot(n, middle), 0.0), exponent);
#ifdef PLIANT_LAMPS
    light += lampLight(n, toEye, albedo.rgb);
#endif
    if (pliantHaze.a > 0.0) light = mix(pliantHaze.rgb, light, exp(-pliantHaze.a * length(eyePosition)));
    gl_FragColor = vec4(display(light), albedo.a);
#endif
}
