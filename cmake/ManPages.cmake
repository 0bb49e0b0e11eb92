# Writes a man page for the program and one for each command, from their help texts. Run with
# -DPROGRAM=<weft> -DFOLDER=<folder>, -DVERSION=<version>.
cmake_minimum_required(VERSION 3.25)

# Text as roff shows it unchanged: backslashes, hyphens, and lines that begin like requests.
function(escape out text)
  string(REPLACE "\\" "\\e" text "${text}")
  string(REPLACE "-" "\\-" text "${text}")
  foreach(request . ')
    string(REPLACE "\n${request}" "\n\\&${request}" text "${text}")
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# write_page(NAME SUMMARY HELP): a help text has a usage line, a paragraph, and the rest.
function(write_page name summary help)
  if(NOT help MATCHES "^usage: ([^\n]*)\n\n([^\n]*(\n[^\n]+)*)\n\n(.*)$")
    message(FATAL_ERROR "the help of ${name} has another form:\n${help}")
  endif()
  escape(usage "${CMAKE_MATCH_1}")
  escape(about "${CMAKE_MATCH_2}")
  escape(rest "${CMAKE_MATCH_4}")
  escape(summary "${summary}")
  escape(title "${name}")
  string(TOUPPER "${title}" upper)
  file(WRITE "${FOLDER}/${name}.1" ".TH ${upper} 1 \"\" \"weft ${VERSION}\" \"weft\"
.SH NAME
${title} \\- ${summary}
.SH SYNOPSIS
${usage}
.SH DESCRIPTION
${about}
.PP
.nf
${rest}.fi
.SH SEE ALSO
.BR weft (1)
")
endfunction()

execute_process(COMMAND ${PROGRAM} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
write_page(weft "train and use pipelines for natural language" "${help}")
# "  init config         write a starter config"; a line of options begins with a hyphen.
string(REGEX MATCHALL "\n  [a-z][^\n]*" lines "${help}")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^\n  ([a-z-]+( [a-z-]+)?)  +(.*)$" found "${line}")
  set(command "${CMAKE_MATCH_1}")
  set(summary "${CMAKE_MATCH_3}")
  string(REPLACE " " ";" words "${command}")
  string(REPLACE " " "-" name "weft-${command}")
  execute_process(COMMAND ${PROGRAM} ${words} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
  write_page(${name} "${summary}" "${help}")
endforeach()
