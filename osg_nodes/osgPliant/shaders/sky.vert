#version 330 compatibility
// A triangle that covers the window, at the far end of the depth range.
uniform mat4 osg_ViewMatrixInverse;
out vec3 direction;

void main() {
    gl_Position = vec4(gl_Vertex.xy, 1.0, 1.0);
    vec4 far = gl_ProjectionMatrixInverse * vec4(gl_Vertex.xy, 0.0, 1.0);
    direction = mat3(osg_ViewMatrixInverse) * (far.xyz / far.w);
}
