#version 330 compatibility
#pragma import_defines(PLIANT_EXPOSURE, PLIANT_SKY_IMAGE)
uniform vec3 pliantUp;
uniform vec3 pliantZenith;
uniform vec4 pliantHaze;  // rgb: horizon
in vec3 direction;
#ifdef PLIANT_SKY_IMAGE
uniform sampler2D pliantSkyImage;

// Equirectangular: its middle row is the horizon, its middle column lies along a horizontal axis of the world.
vec3 skyOf(vec3 way) {
    vec3 ahead = abs(pliantUp.y) > 0.7 ? vec3(0.0, 0.0, -1.0) : vec3(0.0, 1.0, 0.0);
    vec3 right = normalize(cross(ahead, pliantUp));
    ahead = cross(pliantUp, right);
    float turn = atan(dot(way, right), dot(way, ahead)) / 6.2831853;
    vec3 texel = textureLod(pliantSkyImage, vec2(0.5 + turn, 0.5 + asin(clamp(dot(way, pliantUp), -1.0, 1.0)) / 3.1415927), 0.0).rgb;
    return texel * texel;  // near enough to sRGB's inverse
}
#endif

vec3 display(vec3 c) {  // as in body.frag
    c *= 0.6;
#ifdef PLIANT_EXPOSURE
    c *= PLIANT_EXPOSURE;
#endif
    c = clamp(c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
    vec3 second = sqrt(c), fourth = sqrt(second);
    return clamp(0.585122 * second + 0.783140 * fourth - 0.368263 * sqrt(fourth), 0.0, 1.0);
}

void main() {
    float height = dot(normalize(direction), pliantUp);
#ifdef PLIANT_SKY_IMAGE
    vec3 sky = skyOf(normalize(direction));
#else
    vec3 sky = mix(pliantHaze.rgb, pliantZenith, pow(clamp(height, 0.0, 1.0), 0.6));
#endif
    // Half a step of noise, or 8 bits show as bands.
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    gl_FragColor = vec4(display(sky) + noise / 255.0, 1.0);
}
