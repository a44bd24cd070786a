# The offline numerics of pliant_reduce without sanitizers and unoptimised, which takes a quarter of the time to compile: tests
# that ./check runs under sanitizers link them and hardly call them, since reduced models come from the release build. Every
# source that reads what others have written stays as it was.
add_library(pliant_numerics OBJECT)
get_target_property(sources pliant_reduce SOURCES)
set(numerics ${sources})
list(FILTER numerics INCLUDE REGEX
  "(^|/)(math|skeleton|field|lattice|shell|fem|basis|polynomial|reduce|character|control_lattice)/[A-Za-z]+[.]cpp$")
list(FILTER numerics EXCLUDE REGEX "/(BodyRegion|CacheFile|ReadControlLattice|WriteControlLattice|ReadInput|RegionMembers)[.]cpp$")
list(REMOVE_ITEM sources ${numerics})
set_property(TARGET pliant_reduce PROPERTY SOURCES ${sources} $<TARGET_OBJECTS:pliant_numerics>)
target_sources(pliant_numerics PRIVATE ${numerics})
get_target_property(libraries pliant_reduce LINK_LIBRARIES)
target_link_libraries(pliant_numerics PRIVATE ${libraries})
foreach(property COMPILE_DEFINITIONS INCLUDE_DIRECTORIES PRECOMPILE_HEADERS CXX_VISIBILITY_PRESET VISIBILITY_INLINES_HIDDEN)
  get_target_property(value pliant_reduce ${property})
  if(value)
    set_property(TARGET pliant_numerics PROPERTY ${property} ${value})
  endif()
endforeach()
target_compile_options(pliant_numerics PRIVATE -O0 -fno-sanitize=all)
