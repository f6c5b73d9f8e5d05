# Writes OUTPUT, an include file: `BYTES(stem, bytes)` for each of the FILES of ARCHIVE (separated by `|`), with their bytes as numbers separated by
# commas. Made beside FOLDER, where the archive is unpacked.
#
#   cmake -DOUTPUT=code.inc -DARCHIVE=code.tar.xz -DFILES=a.cubin|b.cubin -DFOLDER=code -P EmbedBytes.cmake

string(REPLACE "|" ";" FILES "${FILES}")
file(ARCHIVE_EXTRACT INPUT "${ARCHIVE}" DESTINATION "${FOLDER}" PATTERNS ${FILES})
set(text "")
foreach(file IN LISTS FILES)
  get_filename_component(stem "${file}" NAME_WE)
  file(READ "${FOLDER}/${file}" bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND text "BYTES(${stem}, ${bytes})\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
