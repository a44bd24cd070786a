# An overlay port: vcpkg install pliant --overlay-ports=cmake/packages/vcpkg. Builds the tree that it lies in. Bullet's bridge
# and the offline side need Debian's packages: vcpkg has no Bullet in both precisions and no sequential MUMPS.
get_filename_component(SOURCE_PATH ${CURRENT_PORT_DIR}/../../../.. ABSOLUTE)
vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURES FEATURES osg PLIANT_BUILD_OSG)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" dynamic SHARED)
vcpkg_cmake_configure(SOURCE_PATH ${SOURCE_PATH}
  OPTIONS ${FEATURES} -DBUILD_SHARED_LIBS=${SHARED} -DPLIANT_BUILD_REDUCE=OFF -DPLIANT_BUILD_BULLET=OFF -DPLIANT_BUILD_SCENE=OFF
    -DPLIANT_BUILD_EXAMPLES=OFF -DPLIANT_BUILD_TESTS=OFF -DPLIANT_BUILD_BENCHMARKS=OFF -DPLIANT_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME Pliant CONFIG_PATH lib/cmake/Pliant)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/debug/include ${CURRENT_PACKAGES_DIR}/debug/share)
vcpkg_install_copyright(FILE_LIST ${SOURCE_PATH}/LICENSE)
