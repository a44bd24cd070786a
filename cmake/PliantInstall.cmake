# Install and export. One export set a component, so that a package that was built without Bullet, OpenSceneGraph or the
# offline side still is a package: PliantConfig.cmake takes what is there.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(PLIANT_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Pliant)

# pliant_install(<component> <include folder> <header folder>...): library, headers and export set of Pliant::<component>
function(pliant_install component prefix)
  install(TARGETS pliant_${component} EXPORT Pliant_${component}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT Pliant_${component} NAMESPACE Pliant:: FILE Pliant_${component}.cmake DESTINATION ${PLIANT_CMAKE_DIR})
  install(DIRECTORY ${ARGN} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${prefix} FILES_MATCHING PATTERN "*.h")
endfunction()

set(plugin ${PROJECT_SOURCE_DIR}/plugin/pliant)
pliant_install(core pliant ${plugin}/math ${plugin}/mesh ${plugin}/model ${plugin}/runtime ${plugin}/collision)
if(PLIANT_BUILD_REDUCE)
  pliant_install(reduce pliant ${plugin}/fem ${plugin}/basis ${plugin}/polynomial ${plugin}/skeleton
    ${plugin}/reduce ${plugin}/exchange)
endif()
if(PLIANT_WITH_MPI)
  pliant_install(mpi pliant)
endif()
if(PLIANT_BUILD_BULLET)
  # What users include lies directly in btPliant/; its folders are internal.
  file(GLOB bridge_headers ${PROJECT_SOURCE_DIR}/bullet_bridge/btPliant/*.h)
  install(FILES ${bridge_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/btPliant)
  pliant_install(bullet btPliant)
  pliant_install(bullet64 btPliant)
  install(FILES cmake/PliantBullet.cmake DESTINATION ${PLIANT_CMAKE_DIR})
endif()
if(PLIANT_BUILD_OSG)
  pliant_install(osg osgPliant ${PROJECT_SOURCE_DIR}/osg_nodes/osgPliant/)
endif()
if(TARGET pliant)
  install(TARGETS pliant RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(cmake/PliantConfig.cmake.in ${PROJECT_BINARY_DIR}/PliantConfig.cmake
  INSTALL_DESTINATION ${PLIANT_CMAKE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/PliantConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/PliantConfig.cmake ${PROJECT_BINARY_DIR}/PliantConfigVersion.cmake
  DESTINATION ${PLIANT_CMAKE_DIR})
