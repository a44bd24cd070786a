// SPDX-License-Identifier: Zlib
// Surfaces of formats that a process of its own reads: a tetrahedron in Collada, and the same as FBX.
#include <Eigen/Geometry>

#include "pliant/mesh/ReadSurface.h"
#include "unit/mesh/TemporaryFolder.h"

namespace pliant::test {
namespace {

using testing::HasSubstr;

/// Edges of 4 units of 0.5 m along the axes, moved by (1, 2, 3) units.
std::string tetrahedronInCollada() {
    return R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="half" meter="0.5"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 4 0 0 0 4 0 0 0 4</float_array><technique_common>
<accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="scene">
<node id="n" name="n"><translate>1 2 3</translate><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
)";
}

void expectTetrahedron(const SurfaceMesh& mesh) {
    ASSERT_EQ(mesh.triangleCount(), 4);
    ASSERT_EQ(mesh.vertexCount(), 4);
    const Vector3 lower = mesh.positions.rowwise().minCoeff(), upper = mesh.positions.rowwise().maxCoeff();
    EXPECT_LT((lower - Vector3(0.5, 1.0, 1.5)).norm(), 1e-6);
    EXPECT_LT((upper - Vector3(2.5, 3.0, 3.5)).norm(), 1e-6);
    double volume = 0.0;
    for (int t = 0; t < 4; ++t)
        volume += mesh.positions.col(mesh.triangles(0, t))
                      .dot(mesh.positions.col(mesh.triangles(1, t)).cross(mesh.positions.col(mesh.triangles(2, t)))) /
                  6.0;
    EXPECT_NEAR(volume, 8.0 / 6.0, 1e-5) << "it faces outwards";
}

TEST(ImportSurface, ColladaInItsUnit) {
    const TemporaryFolder folder;
    expectTetrahedron(readSurface(folder.write("a.dae", tetrahedronInCollada())).mesh);
}

/// The same as FBX in text, whose unit is 50 cm.
std::string tetrahedronInFbx() {
    return R"(; FBX 7.4.0 project file
FBXHeaderExtension:  {
  FBXHeaderVersion: 1003
  FBXVersion: 7400
}
GlobalSettings:  {
  Version: 1000
  Properties70:  {
    P: "UpAxis", "int", "Integer", "",1
    P: "UpAxisSign", "int", "Integer", "",1
    P: "FrontAxis", "int", "Integer", "",2
    P: "FrontAxisSign", "int", "Integer", "",1
    P: "CoordAxis", "int", "Integer", "",0
    P: "CoordAxisSign", "int", "Integer", "",1
    P: "UnitScaleFactor", "double", "Number", "",50
  }
}
Objects:  {
  Geometry: 1, "Geometry::g", "Mesh" {
    Vertices: *12 {
      a: 0,0,0,4,0,0,0,4,0,0,0,4
    }
    PolygonVertexIndex: *12 {
      a: 0,2,-2,0,1,-4,0,3,-3,1,2,-4
    }
    GeometryVersion: 124
  }
  Model: 2, "Model::n", "Mesh" {
    Version: 232
    Properties70:  {
      P: "Lcl Translation", "Lcl Translation", "", "A",1,2,3
    }
  }
}
Connections:  {
  C: "OO",1,2
  C: "OO",2,0
}
)";
}

TEST(ImportSurface, FbxInItsUnit) {
    const TemporaryFolder folder;
    expectTetrahedron(readSurface(folder.write("a.fbx", tetrahedronInFbx())).mesh);
}

TEST(ImportSurface, WhatCannotBeReadIsNamed) {
    const TemporaryFolder folder;
    EXPECT_THAT(errorOf([&] { readSurface(folder.path("none.fbx")); }), HasSubstr("none.fbx: cannot be read"));
    EXPECT_THAT(errorOf([&] { readSurface(folder.write("a.fbx", "hello")); }), HasSubstr("a.fbx"));
    const std::string whole = tetrahedronInCollada();
    EXPECT_THAT(errorOf([&] { readSurface(folder.write("a.dae", whole.substr(0, whole.size() / 2))); }),
                HasSubstr("a.dae"));
}

}  // namespace
}  // namespace pliant::test
