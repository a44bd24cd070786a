# Writes FOLDER/ReducedBy.h with the checksum of LIBRARIES (paths, separated by commas), and removes the models that others
# have made.
string(REPLACE "," ";" LIBRARIES "${LIBRARIES}")
set(sums "")
foreach(library IN LISTS LIBRARIES)
  file(SHA256 "${library}" sum)
  string(APPEND sums "${sum}")
endforeach()
string(SHA256 sums "${sums}")
file(REMOVE_RECURSE "${FOLDER}")
file(WRITE "${FOLDER}/ReducedBy.h" "#define PLIANT_REDUCED_BY \"${sums}\"\n")
