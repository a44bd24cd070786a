# Targets `reference` (the API reference; every warning is an error) and `site` (README, docs/ and the reference as web
# pages, in site/ of the build). Both work without a network; the packages are Debian's (packages.debian).
include(PliantPublicHeaders)
find_program(PLIANT_DOXYGEN doxygen)
find_program(PLIANT_SPHINX sphinx-build)
find_package(Python3 COMPONENTS Interpreter QUIET)
if(NOT PLIANT_DOXYGEN OR NOT PLIANT_SPHINX OR NOT Python3_FOUND)
  message(STATUS "No targets reference and site: doxygen, sphinx-build or python3 is missing")
  return()
endif()

set(PLIANT_REFERENCE_DIR ${PROJECT_BINARY_DIR}/reference)
set(headers "")
set(PLIANT_DOXYGEN_INPUT "")
foreach(component bullet osg core reduce mpi scene bullet_scene osg_scene)
  foreach(header ${PLIANT_PUBLIC_HEADERS_${component}})
    pliant_public_header_path(path ${header})
    list(APPEND headers ${path})
    string(APPEND PLIANT_DOXYGEN_INPUT " \\\n  \"${path}\"")
  endforeach()
  string(REPLACE ";" " " names "${PLIANT_PUBLIC_HEADERS_${component}}")
  string(APPEND components "${component}: ${names}\n")
endforeach()
configure_file(docs/Doxyfile.in ${PLIANT_REFERENCE_DIR}/Doxyfile @ONLY)
file(GENERATE OUTPUT ${PLIANT_REFERENCE_DIR}/headers.txt CONTENT "${components}")

# Doxygen writes its output even where it fails, so that a stamp says whether it has not.
set(stamp ${PLIANT_REFERENCE_DIR}/checked)
add_custom_command(OUTPUT ${stamp}
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${PLIANT_REFERENCE_DIR}/xml
  COMMAND ${PLIANT_DOXYGEN} ${PLIANT_REFERENCE_DIR}/Doxyfile
  COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
  DEPENDS ${headers} ${PLIANT_REFERENCE_DIR}/Doxyfile
  COMMENT "API reference" VERBATIM)
add_custom_target(reference DEPENDS ${stamp})

# Pages are found when the target is built, so that new ones need no line here; a broken link fails.
set(source ${PROJECT_BINARY_DIR}/site_source)
add_custom_target(site
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${PROJECT_BINARY_DIR}/site
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/docs/site/prepare.py ${PROJECT_SOURCE_DIR} ${source}
    ${PLIANT_REFERENCE_DIR}/headers.txt ${PLIANT_REFERENCE_DIR}/xml
  COMMAND ${CMAKE_COMMAND} -E env PLIANT_XML=${PLIANT_REFERENCE_DIR}/xml PLIANT_VERSION=${PROJECT_VERSION}
    ${PLIANT_SPHINX} -q -E -W --keep-going -c ${PROJECT_SOURCE_DIR}/docs/site -d ${PROJECT_BINARY_DIR}/site_cache
    ${source} ${PROJECT_BINARY_DIR}/site
  DEPENDS ${stamp}
  COMMENT "Site: ${PROJECT_BINARY_DIR}/site/index.html" VERBATIM)
