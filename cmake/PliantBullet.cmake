# Bullet in its two precisions, as PliantBullet::single and PliantBullet::double. Used by the build and by the installed
# package alike. Debian's own CMake file of Bullet names folders that do not exist; pkg-config is right.
include_guard(GLOBAL)
find_package(PkgConfig REQUIRED)

# pliant_import_bullet(<single|double> <pkg-config module>)
function(pliant_import_bullet precision module)
  pkg_check_modules(PLIANT_BULLET_${precision} QUIET ${module})
  if(NOT PLIANT_BULLET_${precision}_FOUND)
    message(FATAL_ERROR "Pliant: Bullet in ${precision} precision was not found (pkg-config module ${module}); "
                        "install libbullet-dev, or configure with -DPLIANT_BUILD_BULLET=OFF")
  endif()
  list(FIND PLIANT_BULLET_${precision}_CFLAGS_OTHER -DBT_USE_DOUBLE_PRECISION doubleAt)
  if((precision STREQUAL "double" AND doubleAt EQUAL -1) OR (precision STREQUAL "single" AND NOT doubleAt EQUAL -1))
    message(FATAL_ERROR "Pliant: pkg-config module ${module} is not Bullet in ${precision} precision "
                        "(BT_USE_DOUBLE_PRECISION tells them apart); check PKG_CONFIG_PATH")
  endif()
  add_library(PliantBullet::${precision} INTERFACE IMPORTED GLOBAL)
  target_include_directories(PliantBullet::${precision} SYSTEM INTERFACE ${PLIANT_BULLET_${precision}_INCLUDE_DIRS})
  target_compile_options(PliantBullet::${precision} INTERFACE ${PLIANT_BULLET_${precision}_CFLAGS_OTHER})
  target_link_libraries(PliantBullet::${precision} INTERFACE ${PLIANT_BULLET_${precision}_LINK_LIBRARIES})
endfunction()

if(NOT TARGET PliantBullet::single)
  pliant_import_bullet(single bullet)
endif()
if(NOT TARGET PliantBullet::double)
  pliant_import_bullet(double bullet-float64)
endif()
