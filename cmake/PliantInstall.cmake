# Install and export. One export set a component and kind, so that a package that was built without Bullet, OpenSceneGraph
# or the offline side still is a package: PliantConfig.cmake takes what is there. `cmake --install` installs the kind that
# BUILD_SHARED_LIBS says; beside shared libraries `cmake --install --component static` installs the static ones.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(PliantPublicHeaders)
set(PLIANT_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Pliant)

# pliant_install_library(<component> <target> <shared|static> [EXCLUDE_FROM_ALL]). The parts of an installation (dev, program
# and so on) are the packages that cpack makes (PliantPackages.cmake).
function(pliant_install_library component target kind)
  set(set Pliant_${component}-${kind})
  set(development static)
  if(kind STREQUAL "shared")
    set(development dev)
  endif()
  install(TARGETS ${target} EXPORT ${set}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT lib_${component} NAMELINK_COMPONENT dev ${ARGN}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT static ${ARGN})
  install(EXPORT ${set} NAMESPACE Pliant:: FILE ${set}.cmake DESTINATION ${PLIANT_CMAKE_DIR} COMPONENT ${development} ${ARGN})
endfunction()

foreach(component ${PLIANT_COMPONENTS})
  if(BUILD_SHARED_LIBS)
    pliant_install_library(${component} pliant_${component}_shared shared)
    pliant_install_library(${component} pliant_${component} static EXCLUDE_FROM_ALL)
  else()
    pliant_install_library(${component} pliant_${component} static)
  endif()
  foreach(header ${PLIANT_PUBLIC_HEADERS_${component}}) # those of bullet64 are those of bullet
    get_filename_component(folder ${header} DIRECTORY)
    pliant_public_header_path(path ${header})
    install(FILES ${path} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT dev)
  endforeach()
endforeach()

if(PLIANT_BUILD_BULLET)
  install(FILES cmake/PliantBullet.cmake DESTINATION ${PLIANT_CMAKE_DIR} COMPONENT dev)
endif()
if(PLIANT_BUILD_OSG)
  # Where OpenSceneGraph looks below the folders of OSG_LIBRARY_PATH.
  install(TARGETS osgdb_pliant LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/osgPlugins-${OPENSCENEGRAPH_VERSION} COMPONENT plugin)
endif()
if(TARGET pliant_import)
  # Run by the offline side alone, which looks for it from where it stands itself.
  install(TARGETS pliant_import RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/pliant COMPONENT lib_reduce)
endif()
if(TARGET pliant)
  install(TARGETS pliant RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()
if(TARGET pliant_python) # for its package alone: pip installs it elsewhere (docs/python.md)
  install(TARGETS pliant_python LIBRARY DESTINATION lib/python3/dist-packages/pliant COMPONENT python EXCLUDE_FROM_ALL)
  install(FILES python/pliant/__init__.py DESTINATION lib/python3/dist-packages/pliant COMPONENT python EXCLUDE_FROM_ALL)
endif()
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
# The pages with their pictures, and the programs and scenes that they name. Each example is a project of its own.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc
  FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.jpg" PATTERN "*.svg" PATTERN "*.bib" PATTERN "site" EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc PATTERN "pliant" EXCLUDE)
install(DIRECTORY media/scenes DESTINATION ${CMAKE_INSTALL_DOCDIR}/media COMPONENT doc FILES_MATCHING PATTERN "*.yaml" PATTERN "*.csv")
# The meshes that scenes name: without them no scene of an installation runs.
install(DIRECTORY media/basket media/solids media/sheet media/characters DESTINATION ${CMAKE_INSTALL_DOCDIR}/media COMPONENT doc
  FILES_MATCHING PATTERN "*.obj" PATTERN "*.mtl" PATTERN "*.png" PATTERN "*.glb" PATTERN "LICENSE.md")

configure_package_config_file(cmake/PliantConfig.cmake.in ${PROJECT_BINARY_DIR}/PliantConfig.cmake
  INSTALL_DESTINATION ${PLIANT_CMAKE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/PliantConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/PliantConfig.cmake ${PROJECT_BINARY_DIR}/PliantConfigVersion.cmake
  DESTINATION ${PLIANT_CMAKE_DIR} COMPONENT dev)
include(PliantPkgConfig)
if(PROJECT_IS_TOP_LEVEL AND BUILD_SHARED_LIBS)
  include(PliantPackages)
endif()
