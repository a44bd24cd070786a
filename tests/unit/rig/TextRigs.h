// SPDX-License-Identifier: Zlib
// The character of two bones as Collada, DirectX .x and BVH, made by hand.
#pragma once

#include <string>

namespace pliant::test {

/// "upper" at the origin, "lower" at x = 1 below it; vertices at x = 0, 1, 2 and (2, 1, 0) m, told in the file's unit
/// of 0.5 m; the clip turns the lower bone by 90 degrees about z in one second.
inline std::string twoBonedCollada() {
    return R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="half" meter="0.5"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 2 0 0 4 0 0 4 2 0</float_array><technique_common>
<accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 3 1 2 3</p></triangles>
</mesh></geometry></library_geometries>
<library_controllers><controller id="c"><skin source="#g">
<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>
<source id="j"><Name_array id="ja" count="2">upper lower</Name_array><technique_common>
<accessor source="#ja" count="2" stride="1"><param name="JOINT" type="name"/></accessor></technique_common></source>
<source id="b"><float_array id="ba" count="32">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 -2 0 1 0 0 0 0 1 0 0 0 0 1</float_array><technique_common>
<accessor source="#ba" count="2" stride="16"><param name="TRANSFORM" type="float4x4"/></accessor></technique_common></source>
<source id="w"><float_array id="wa" count="2">1 0.5</float_array><technique_common>
<accessor source="#wa" count="2" stride="1"><param name="WEIGHT" type="float"/></accessor></technique_common></source>
<joints><input semantic="JOINT" source="#j"/><input semantic="INV_BIND_MATRIX" source="#b"/></joints>
<vertex_weights count="4"><input semantic="JOINT" source="#j" offset="0"/><input semantic="WEIGHT" source="#w" offset="1"/>
<vcount>1 2 1 1</vcount><v>0 0 0 1 1 1 1 0 1 0</v></vertex_weights>
</skin></controller></library_controllers>
<library_animations><animation id="bend">
<source id="t"><float_array id="ta" count="2">0 1</float_array><technique_common>
<accessor source="#ta" count="2" stride="1"><param name="TIME" type="float"/></accessor></technique_common></source>
<source id="m"><float_array id="ma" count="32">1 0 0 2 0 1 0 0 0 0 1 0 0 0 0 1 0 -1 0 2 1 0 0 0 0 0 1 0 0 0 0 1</float_array><technique_common>
<accessor source="#ma" count="2" stride="16"><param name="TRANSFORM" type="float4x4"/></accessor></technique_common></source>
<source id="i"><Name_array id="ia" count="2">LINEAR LINEAR</Name_array><technique_common>
<accessor source="#ia" count="2" stride="1"><param name="INTERPOLATION" type="name"/></accessor></technique_common></source>
<sampler id="s"><input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#m"/><input semantic="INTERPOLATION" source="#i"/></sampler>
<channel source="#s" target="lower/matrix"/></animation></library_animations>
<library_visual_scenes><visual_scene id="scene">
<node id="upper" name="upper" sid="upper" type="JOINT"><matrix sid="matrix">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>
<node id="lower" name="lower" sid="lower" type="JOINT"><matrix sid="matrix">1 0 0 2 0 1 0 0 0 0 1 0 0 0 0 1</matrix></node></node>
<node id="fox" name="fox"><instance_controller url="#c"><skeleton>#upper</skeleton></instance_controller></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
)";
}

/// The same bones without a skin; "lower" turns by 90 degrees about z in a second, "upper" rises by 0.5 m.
inline std::string twoBonedBvh() {
    return R"(HIERARCHY
ROOT upper
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT lower
  {
    OFFSET 3 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 1 0 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.5
0 0 0 0 0 0 0 0 0
0 0.25 0 0 0 0 45 0 0
0 0.5 0 0 0 0 90 0 0
)";
}

/// The same in DirectX's axes, whose z is the other way; its keys count milliseconds.
inline std::string twoBonedDirectX() {
    return R"(xof 0303txt 0032
AnimTicksPerSecond { 1000; }
Frame root {
 FrameTransformMatrix { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1;; }
 Frame upper {
  FrameTransformMatrix { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1;; }
  Frame lower { FrameTransformMatrix { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1;; } }
 }
 Mesh fox {
  4; 0;0;0;, 1;0;0;, 2;0;0;, 2;1;0;;
  2; 3;0, 3, 1;, 3;1, 3, 2;;
  XSkinMeshHeader { 2; 6; 2; }
  SkinWeights { "upper"; 2; 0, 1; 1.0, 0.5; 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1;; }
  SkinWeights { "lower"; 3; 1, 2, 3; 0.5, 1.0, 1.0; 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1;; }
 }
}
AnimationSet bend {
 Animation { { lower }
  AnimationKey { 4; 2; 0; 16; 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1;;, 1000; 16; 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1;;; }
 }
}
)";
}

}  // namespace pliant::test
