# The offline numerics of pliant_reduce: every source but those that read what others have written. Where files are compiled in
# batches these have batches of their own, so that no object of the library holds both.
get_target_property(sources pliant_reduce SOURCES)
set(numerics ${sources})
list(FILTER numerics INCLUDE REGEX
  "(^|/)(math|skeleton|field|lattice|shell|fem|basis|polynomial|reduce|character|control_lattice)/[A-Za-z]+[.]cpp$")
list(FILTER numerics EXCLUDE REGEX "/(BodyRegion|CacheFile|ReadControlLattice|WriteControlLattice|ReadInput|RegionMembers)[.]cpp$")
list(REMOVE_ITEM sources ${numerics})

# pliant_batches(<name> <sources>...): batches of PLIANT_LARGE_BATCH_SIZE files, which are compiled together as <name>0, <name>1, ...
function(pliant_batches name)
  set(number 0)
  foreach(source ${ARGN})
    math(EXPR batch "${number} / ${PLIANT_LARGE_BATCH_SIZE}")
    set_source_files_properties(${source} TARGET_DIRECTORY pliant_reduce PROPERTIES UNITY_GROUP ${name}${batch})
    math(EXPR number "${number} + 1")
  endforeach()
endfunction()
set_target_properties(pliant_reduce PROPERTIES UNITY_BUILD_MODE GROUP)
pliant_batches(numerics ${numerics})
pliant_batches(files ${sources})
if(NOT PLIANT_SANITIZE OR PLIANT_SANITIZE_NUMERICS OR BUILD_SHARED_LIBS)
  unset(PLIANT_NUMERICS_LIBRARY CACHE)
  return()
endif()

# Without sanitizers: tests that ./check runs under sanitizers link the numerics and hardly call them, since reduced models come
# from the release build. So do they, where it has been made: of its library the linker takes what this build's has not.
set_property(TARGET pliant_reduce PROPERTY SOURCES ${sources})
set(library ${PLIANT_NUMERICS_OF}/plugin/pliant/libpliantReduce.a)
if(PLIANT_LLD AND EXISTS ${library})
  set(PLIANT_NUMERICS_LIBRARY ${library} CACHE INTERNAL "The library of another build that has the offline numerics")
  target_link_libraries(pliant_reduce PUBLIC ${library})
  return()
endif()
# Elsewhere they are compiled here, unoptimised, which takes a quarter of the time.
set(PLIANT_NUMERICS_LIBRARY "" CACHE INTERNAL "")
add_library(pliant_numerics OBJECT ${numerics})
target_sources(pliant_reduce PRIVATE $<TARGET_OBJECTS:pliant_numerics>)
get_target_property(libraries pliant_reduce LINK_LIBRARIES)
target_link_libraries(pliant_numerics PRIVATE ${libraries})
foreach(property COMPILE_DEFINITIONS INCLUDE_DIRECTORIES PRECOMPILE_HEADERS CXX_VISIBILITY_PRESET VISIBILITY_INLINES_HIDDEN)
  get_target_property(value pliant_reduce ${property})
  if(value)
    set_property(TARGET pliant_numerics PROPERTY ${property} ${value})
  endif()
endforeach()
target_compile_options(pliant_numerics PRIVATE -O0 -fno-sanitize=all)
