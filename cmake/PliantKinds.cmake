# Both kinds of every library: pliant_<component>, static, for tests and on request, and pliant_<component>_shared, of the same
# objects, for users. Pliant::<component> is the shared one where BUILD_SHARED_LIBS is on. One list of the components: the
# package (PliantInstall.cmake) reads it, too.
set(PLIANT_COMPONENTS "")
foreach(component core reduce mpi bullet bullet64 osg scene bullet_scene osg_scene)
  if(TARGET pliant_${component})
    list(APPEND PLIANT_COMPONENTS ${component})
  endif()
endforeach()

# Versions before 1.0 may break programs with every minor number, later ones with every major one (docs/install.md).
set(PLIANT_SOVERSION ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(PLIANT_SOVERSION 0.${PROJECT_VERSION_MINOR})
endif()

# pliant_shared_of(<variable> <items>...): the items, with the shared library in the place of each of our static ones
function(pliant_shared_of variable)
  set(items ${ARGN})
  list(TRANSFORM items REPLACE "^(pliant_(core|reduce|mpi|bullet|bullet64|osg|scene|bullet_scene|osg_scene))$" "\\1_shared")
  set(${variable} ${items} PARENT_SCOPE)
endfunction()

# pliant_shared_library(<component>): pliant_<component>_shared
function(pliant_shared_library component)
  set(static pliant_${component})
  set(shared ${static}_shared)
  add_library(${shared} SHARED $<TARGET_OBJECTS:${static}>)
  # Beside all of its members a class that is shown has templates of the standard library in its wake: the map hides them.
  set(map ${PROJECT_SOURCE_DIR}/cmake/exports.map)
  target_link_options(${shared} PRIVATE -Wl,--no-undefined -Wl,--version-script=${map})
  get_target_property(name ${static} OUTPUT_NAME)
  set_target_properties(${shared} PROPERTIES
    OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib LINKER_LANGUAGE CXX LINK_DEPENDS ${map} VERSION ${PROJECT_VERSION} SOVERSION ${PLIANT_SOVERSION}
    INSTALL_RPATH "$ORIGIN" PLIANT_KIND shared INTERFACE_PLIANT_KIND shared)
  foreach(property INTERFACE_INCLUDE_DIRECTORIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES INTERFACE_COMPILE_DEFINITIONS
      INTERFACE_COMPILE_FEATURES INTERFACE_PLIANT_BULLET_PRECISION COMPATIBLE_INTERFACE_STRING)
    get_target_property(value ${static} ${property})
    if(value)
      set_property(TARGET ${shared} PROPERTY ${property} ${value})
    endif()
  endforeach()
  foreach(scope PUBLIC PRIVATE)
    get_target_property(items ${static} PLIANT_${scope})
    if(items)
      pliant_shared_of(items ${items})
      target_link_libraries(${shared} ${scope} ${items})
    endif()
  endforeach()
endfunction()

foreach(component ${PLIANT_COMPONENTS})
  set_target_properties(pliant_${component} PROPERTIES EXPORT_NAME ${component})
  if(BUILD_SHARED_LIBS)
    pliant_shared_library(${component})
    set_target_properties(pliant_${component}_shared PROPERTIES EXPORT_NAME ${component})
    add_library(Pliant::${component} ALIAS pliant_${component}_shared)
  else()
    add_library(Pliant::${component} ALIAS pliant_${component})
  endif()
endforeach()
