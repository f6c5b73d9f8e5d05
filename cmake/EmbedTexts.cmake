# Writes OUTPUT, an include file with one line `TEXT("stem", R"(contents)")` for each of the FILES (separated by `|`): texts to embed in a program.
#
#   cmake -DOUTPUT=texts.inc -DFILES=a.md|b.md -P EmbedTexts.cmake

string(REPLACE "|" ";" FILES "${FILES}")
set(text "")
foreach(file IN LISTS FILES)
  get_filename_component(stem "${file}" NAME_WE)
  file(READ "${file}" contents)
  string(APPEND text "TEXT(\"${stem}\", R\"gnnc(${contents})gnnc\")\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
