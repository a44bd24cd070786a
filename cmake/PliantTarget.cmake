# What every target of ours is built with. Dependencies are never warned about, ours always, as errors.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON) # the objects of static libraries make the shared ones, too
# The presets for whole builds compile files in batches (CMAKE_UNITY_BUILD), which more than halves their time; the debug
# preset compiles each by itself, so that every file goes on naming what it includes.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 32 CACHE STRING "Files compiled at once where CMAKE_UNITY_BUILD is on")
# The same of the largest libraries (pliant_core, pliant_reduce, pliant_bullet): what their files share of templates is compiled
# half as often, a seventh of their time.
set(PLIANT_LARGE_BATCH_SIZE 64 CACHE STRING "The same, of the largest libraries")
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

# LLVM's linker, for test programs and sanitizers; what users get is linked by the system's.
find_program(PLIANT_LLD ld.lld)

# Linked PRIVATE to our own targets only.
add_library(pliant_build_flags INTERFACE)
target_compile_features(pliant_build_flags INTERFACE cxx_std_17)
target_compile_options(pliant_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
  -ffp-contract=off) # same bits whether or not the compiler sees a multiply-add
if(PLIANT_SANITIZE)
  add_compile_definitions(PLIANT_SANITIZED) # compilers tell it under different names
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
  if(PLIANT_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

# pliant_library(<target> <include_root> <name> [sources]): a static library of ours, lib<name>.a, whose headers are included
# from `include_root` (the folder above the include prefix). Its objects are compiled once, with hidden symbols
# (pliant/math/Api.h); PliantKinds.cmake makes the shared library of them.
function(pliant_library target include_root name)
  add_library(${target} STATIC ${ARGN})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name} CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON PLIANT_KIND static
    # Linking both kinds into one target would be two copies of everything: it is refused when CMake generates.
    INTERFACE_PLIANT_KIND static COMPATIBLE_INTERFACE_STRING PLIANT_KIND)
  target_compile_features(${target} PUBLIC cxx_std_17)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:pliant_build_flags>)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${include_root}> $<INSTALL_INTERFACE:include>)
  if(PLIANT_FUZZ)
    # Edges and comparisons are told to libFuzzer; what a door does not call is left out of its program (tests/fuzz).
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link -ffunction-sections)
  endif()
endfunction()

# pliant_precompile(<target> <headers>...): precompiled headers, but not where the target is compiled in one batch: to make
# them takes longer than to read the headers once (osgdb_pliant: 22 s of processor time with, 11 without).
function(pliant_precompile target)
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  if(NOT CMAKE_UNITY_BUILD OR count GREATER CMAKE_UNITY_BUILD_BATCH_SIZE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# pliant_link(<target> [PUBLIC ...] [PRIVATE ...] [UNNAMED ...]): what a library of ours stands on, in both kinds. UNNAMED is
# private, too, and not written into the package: PliantConfig.cmake finds it there.
function(pliant_link target)
  cmake_parse_arguments(L "" "" "PUBLIC;PRIVATE;UNNAMED" ${ARGN})
  target_link_libraries(${target} PUBLIC ${L_PUBLIC} PRIVATE ${L_PRIVATE} "$<BUILD_INTERFACE:${L_UNNAMED}>")
  set_property(TARGET ${target} APPEND PROPERTY PLIANT_PUBLIC ${L_PUBLIC})
  set_property(TARGET ${target} APPEND PROPERTY PLIANT_PRIVATE ${L_PRIVATE} ${L_UNNAMED})
endfunction()
