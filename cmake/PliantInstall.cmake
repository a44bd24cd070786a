# Install and export. One export set a component, so that a package that was built without Bullet, OpenSceneGraph or the
# offline side still is a package: PliantConfig.cmake takes what is there.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(PliantPublicHeaders)
set(PLIANT_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Pliant)

# pliant_install(<component>): library, public headers and export set of Pliant::<component>
function(pliant_install component)
  install(TARGETS pliant_${component} EXPORT Pliant_${component}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT Pliant_${component} NAMESPACE Pliant:: FILE Pliant_${component}.cmake DESTINATION ${PLIANT_CMAKE_DIR})
  foreach(header ${PLIANT_PUBLIC_HEADERS_${component}})
    get_filename_component(folder ${header} DIRECTORY)
    pliant_public_header_path(path ${header})
    install(FILES ${path} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
  endforeach()
endfunction()

pliant_install(core)
if(PLIANT_BUILD_REDUCE)
  pliant_install(reduce)
endif()
if(PLIANT_WITH_MPI)
  pliant_install(mpi)
endif()
if(PLIANT_BUILD_BULLET)
  pliant_install(bullet)
  pliant_install(bullet64) # the same headers
  install(FILES cmake/PliantBullet.cmake DESTINATION ${PLIANT_CMAKE_DIR})
endif()
if(PLIANT_BUILD_OSG)
  pliant_install(osg)
  # Where OpenSceneGraph looks below the folders of OSG_LIBRARY_PATH.
  install(TARGETS osgdb_pliant LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/osgPlugins-${OPENSCENEGRAPH_VERSION})
endif()
if(PLIANT_BUILD_SCENE)
  pliant_install(scene)
endif()
if(TARGET pliant_bullet_scene)
  pliant_install(bullet_scene)
endif()
if(TARGET pliant_osg_scene)
  pliant_install(osg_scene)
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
