# What every target of ours is built with. Dependencies are never warned about, ours always, as errors.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# The presets for whole builds compile files in batches (CMAKE_UNITY_BUILD), which more than halves their time; the debug
# preset compiles each by itself, so that every file goes on naming what it includes.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 32 CACHE STRING "Files compiled at once where CMAKE_UNITY_BUILD is on")
set(CMAKE_CXX_VISIBILITY_PRESET default)
# A fifth of GCC's time with such large files goes into collecting garbage; without that they take 2 GB each.
cmake_host_system_information(RESULT PLIANT_MEMORY QUERY TOTAL_PHYSICAL_MEMORY)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_UNITY_BUILD AND PLIANT_MEMORY GREATER 15000)
  add_compile_options("SHELL:--param ggc-min-heapsize=4000000")
endif()

find_program(PLIANT_CCACHE ccache)
if(PLIANT_CCACHE AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Both are what ccache asks for before it takes part in builds with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${PLIANT_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endif()

# Linked PRIVATE to our own targets only.
add_library(pliant_build_flags INTERFACE)
target_compile_features(pliant_build_flags INTERFACE cxx_std_17)
target_compile_options(pliant_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
  -ffp-contract=off) # same bits whether or not the compiler sees a multiply-add
if(PLIANT_SANITIZE)
  add_compile_options(-fsanitize=${PLIANT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g1)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC's flow analysis sees the instrumented code and then warns about the standard library's own <regex>.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
  if(PLIANT_SANITIZE MATCHES "undefined")
    # A check at every access through a pointer doubles the time that Eigen takes to compile; the address sanitizer sees
    # what these would.
    add_compile_options(-fno-sanitize=null,alignment,object-size,pointer-overflow,vptr,nonnull-attribute,returns-nonnull-attribute)
  endif()
  add_link_options(-fsanitize=${PLIANT_SANITIZE})
endif()

# pliant_library(<target> <component>): a library of ours, exported as Pliant::<component>,
# whose headers are included from `include_root` (the folder above the include prefix).
function(pliant_library target component include_root)
  add_library(${target} ${ARGN})
  add_library(Pliant::${component} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${component} VERSION ${PROJECT_VERSION} SOVERSION 0)
  target_compile_features(${target} PUBLIC cxx_std_17)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:pliant_build_flags>)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${include_root}> $<INSTALL_INTERFACE:include>)
endfunction()
