# SPDX-License-Identifier: Apache-2.0
# What Debian keeps elsewhere than `cmake --install`: its zsh looks for completions of packages in vendor-completions,
# and pages of the manual are compressed.
set(share ${CPACK_TEMPORARY_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
file(GLOB pages ${share}/man/man1/*.1)
execute_process(COMMAND gzip -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
