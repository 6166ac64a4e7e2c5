# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=F.cpp -DNAMESPACE=a::b -DFILES=name=path;... -P embed.cmake writes files as constants `const
# std::string_view name`.
set(text "#include <string_view>\n\nnamespace ${NAMESPACE} {\n\n")
foreach(entry IN LISTS FILES)
  string(REGEX MATCH "^([A-Za-z_]+)=(.*)$" _ "${entry}")
  file(READ "${CMAKE_MATCH_2}" bytes HEX)
  set(name "${CMAKE_MATCH_1}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND text "namespace {\nconstexpr char ${name}_bytes[] = {${bytes}};\n}\n"
                     "extern const std::string_view ${name};\n"
                     "const std::string_view ${name}{${name}_bytes, sizeof ${name}_bytes};\n\n")
endforeach()
file(WRITE "${OUT}" "${text}}\n")
