# SPDX-License-Identifier: Apache-2.0
# Writes DIR/all.cpp, which compiles every source of a Verilated MODEL as one.
file(GLOB sources ${DIR}/${MODEL}*.cpp)
set(text "")
foreach(source IN LISTS sources)
  string(APPEND text "#include \"${source}\"\n")
endforeach()
file(WRITE ${DIR}/all.cpp "${text}")
