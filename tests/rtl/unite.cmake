# SPDX-License-Identifier: Apache-2.0
# DIR/all.cpp: every source of a Verilated MODEL, compiled as one.
file(GLOB sources ${DIR}/${MODEL}*.cpp)
set(text "")
foreach(source IN LISTS sources)
  string(APPEND text "#include \"${source}\"\n")
endforeach()
file(WRITE ${DIR}/all.cpp "${text}")
