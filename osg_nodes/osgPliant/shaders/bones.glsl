// Bones carry a vertex: VertexBones.h has the mathematics. Rows are from PLIANT_BONE_... of the vertex and of the
// bones of its body; dn is dN q.
void pliantFollowBones(samplerBuffer basis, samplerBuffer bodies, int row, int bones, vec3 u, vec3 dn, inout vec3 x,
                       inout vec3 n) {
    vec4 numbers = texelFetch(basis, row + PLIANT_BONE_NUMBERS);
    vec4 weights = texelFetch(basis, row + PLIANT_BONE_WEIGHTS) + texelFetch(basis, row + PLIANT_BONE_WEIGHTS + 1);
    vec3 y[4], p = vec3(0.0), row0 = vec3(0.0), row1 = vec3(0.0), row2 = vec3(0.0);
    float bending = 0.0;
    for (int i = 0; i < 4; ++i) {
        int bone = bones + PLIANT_BONE_ROWS * int(numbers[i] + 0.5);
        vec4 r0 = texelFetch(bodies, bone), r1 = texelFetch(bodies, bone + 1), r2 = texelFetch(bodies, bone + 2);
        float smaller = inversesqrt(dot(r0.xyz, r0.xyz));
        vec4 bent = vec4(x + smaller * u, 1.0);
        y[i] = vec3(dot(r0, bent), dot(r1, bent), dot(r2, bent));
        p += weights[i] * y[i];
        bending += weights[i] * smaller;
        row0 += weights[i] * r0.xyz;
        row1 += weights[i] * r1.xyz;
        row2 += weights[i] * r2.xyz;
    }
    x = p;
#ifndef PLIANT_DEPTH_ONLY
    vec4 gx = texelFetch(basis, row + PLIANT_BONE_GRADIENTS), gy = texelFetch(basis, row + PLIANT_BONE_GRADIENTS + 1),
         gz = texelFetch(basis, row + PLIANT_BONE_GRADIENTS + 2);
    for (int i = 0; i < 4; ++i) {
        vec3 gradient = vec3(gx[i], gy[i], gz[i]), away = y[i] - p;
        row0 += away.x * gradient;
        row1 += away.y * gradient;
        row2 += away.z * gradient;
    }
    n += bending * dn;
    n = vec3(dot(cross(row1, row2), n), dot(cross(row2, row0), n), dot(cross(row0, row1), n));
#endif
}
