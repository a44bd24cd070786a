# The headers that users include, and those that they include in turn: what is installed, what the API reference covers,
# and what the packaging test compiles one by one. Everything else stays in the source tree. Names are as users write them.
set(PLIANT_PUBLIC_HEADERS_core
  pliant/math/Error.h
  pliant/math/StrainEnergyPolynomial.h
  pliant/math/StrainRateDamping.h
  pliant/math/Types.h
  pliant/mesh/ElasticMaterial.h
  pliant/mesh/Embedding.h
  pliant/mesh/SurfaceMesh.h
  pliant/mesh/VolumeMesh.h
  pliant/model/BDTree.h
  pliant/model/CheckModel.h
  pliant/model/ContactSkeleton.h
  pliant/model/ContactSurface.h
  pliant/model/EditMaterial.h
  pliant/model/InertiaIntegrals.h
  pliant/model/MaterialGroups.h
  pliant/model/ReducedModel.h
  pliant/model/TruncateModel.h
  pliant/runtime/BodyBatch.h
  pliant/runtime/DefaultDamping.h
  pliant/runtime/Settings.h
  pliant/runtime/snapshot/StateBlob.h
  pliant/runtime/Workers.h
  pliant/view/Poses.h)
set(PLIANT_PUBLIC_HEADERS_reduce
  pliant/basis/BasisOptions.h
  pliant/basis/PointForce.h
  pliant/exchange/ExportModel.h
  pliant/exchange/ImportBullet.h
  pliant/exchange/ImportVega.h
  pliant/exchange/ImportedModel.h
  pliant/math/Progress.h
  pliant/math/WorkShares.h
  pliant/reduce/BodyRegion.h
  pliant/reduce/Reduce.h
  pliant/reduce/ReduceOptions.h
  pliant/reduce/ReductionReport.h)
set(PLIANT_PUBLIC_HEADERS_mpi
  pliant/reduce/MpiShares.h)
set(PLIANT_PUBLIC_HEADERS_bullet
  btPliant/btPliantBody.h
  btPliant/btPliantConstraintSolver.h
  btPliant/btPliantDetail.h
  btPliant/btPliantJoint.h
  btPliant/btPliantJoints.h
  btPliant/btPliantPointMotor.h
  btPliant/btPliantPrecision.h
  btPliant/btPliantShape.h
  btPliant/btPliantSystem.h)
set(PLIANT_PUBLIC_HEADERS_osg
  osgPliant/BodyGroup.h
  osgPliant/BodyHit.h
  osgPliant/Conversions.h
  osgPliant/CpuDeformation.h
  osgPliant/Deformation.h
  osgPliant/EglContext.h
  osgPliant/FrameStatistics.h
  osgPliant/HeadlessViewer.h
  osgPliant/Links.h
  osgPliant/ModelGeometry.h
  osgPliant/Primitives.h
  osgPliant/Shaders.h
  osgPliant/ShadowMap.h
  osgPliant/Skin.h
  osgPliant/Stage.h
  osgPliant/VideoWriter.h
  osgPliant/ViewerSetUp.h)
set(PLIANT_PUBLIC_HEADERS_scene
  pliant/scene/CheckedYaml.h
  pliant/scene/FieldDescription.h
  pliant/scene/Formula.h
  pliant/scene/LiveNumber.h
  pliant/scene/SceneBounds.h
  pliant/scene/SceneDescription.h
  pliant/scene/SceneModels.h
  pliant/scene/ScenePoses.h
  pliant/scene/SceneReader.h
  pliant/scene/Scope.h
  pliant/scene/SeveralErrors.h
  pliant/scene/TimelineDescription.h)
set(PLIANT_PUBLIC_HEADERS_bullet_scene
  btPliantScene/btPliantScene.h)
set(PLIANT_PUBLIC_HEADERS_osg_scene
  osgPliantScene/SceneNode.h)

# pliant_public_header_path(<variable> <header>): where a public header lies in the source tree
function(pliant_public_header_path variable header)
  foreach(folder plugin bullet_bridge osg_nodes)
    if(EXISTS ${PROJECT_SOURCE_DIR}/${folder}/${header})
      set(${variable} ${PROJECT_SOURCE_DIR}/${folder}/${header} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "${header} is a public header (cmake/PliantPublicHeaders.cmake) and is not in the source tree.")
endfunction()
