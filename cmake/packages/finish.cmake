# Run by cpack on the staged files of each package: run paths go, since Debian's libraries find each other; what Debian
# wants beside them comes: copyright, changelog, and a page for `man`.
file(READ ${CPACK_PLIANT_SOURCE_DIR}/LICENSE license)
string(REGEX REPLACE "^[^\n]*\n\n[^\n]*\n\n" "" license "${license}")
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n$" "" license "${license}")
string(REPLACE "\n" "\n " license "${license}")
set(copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Pliant

Files: *
Copyright: 2026 The Pliant project
License: Zlib
 ${license}
")
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)

foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
  if(NOT EXISTS ${root})
    message(FATAL_ERROR "the package ${package} would be empty: ${root} is missing")
  endif()
  file(REMOVE ${root}/share/doc/Pliant/LICENSE)
  file(WRITE ${root}/share/doc/${package}/copyright "${copyright}")
  set(changelog ${root}/share/doc/${package}/changelog.Debian)
  file(WRITE ${changelog} "pliant (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}. CHANGELOG.md of pliant-doc says what changed.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")
  execute_process(COMMAND gzip -9nf ${changelog} COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB_RECURSE files ${root}/*)
  foreach(file ${files})
    if(IS_SYMLINK ${file})
      continue()
    endif()
    if(file MATCHES "\\.so(\\.|$)|/bin/|/libexec/")
      file(RPATH_REMOVE FILE ${file})
    endif()
    if(file MATCHES "/(bin|libexec)/|\\.sh$")
      file(CHMOD ${file} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    else()
      file(CHMOD ${file} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
    endif()
  endforeach()
endforeach()

# The page for `man` is what the program says of itself.
set(root ${CPACK_TEMPORARY_DIRECTORY}/program/usr)
if(EXISTS ${root}/bin/pliant)
  execute_process(COMMAND ${root}/bin/pliant --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\\" "\\\\" help "${help}")
  string(REPLACE "-" "\\-" help "${help}")
  string(REGEX REPLACE "\n\\." "\n\\\\\\\\\\\\&." help "${help}")
  file(WRITE ${root}/share/man/man1/pliant.1 ".TH PLIANT 1 \"\" \"Pliant ${CPACK_PACKAGE_VERSION}\"
.SH NAME
pliant \\- models and scenes of deformable bodies
.SH DESCRIPTION
.nf
${help}.fi
.SH SEE ALSO
Every command tells its own options:
.B pliant COMMAND \\-\\-help
")
  execute_process(COMMAND gzip -9nf ${root}/share/man/man1/pliant.1 COMMAND_ERROR_IS_FATAL ANY)
endif()
