# Takes uPlot (MIT, as its own header says) out of the Python package that carries it, which the build requires, into
# ours. The package is found, not imported: its Python dependencies are not needed for that.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
execute_process(
  COMMAND ${Python3_EXECUTABLE} -c
          "import importlib.util as u, pathlib; print(pathlib.Path(u.find_spec('uplot').origin).parent / 'static')"
  OUTPUT_VARIABLE uplot OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
if(failed OR NOT EXISTS ${uplot}/uPlot.iife.js)
  message(FATAL_ERROR "the Python package uplot-python is missing from the build environment")
endif()
install(FILES ${uplot}/uPlot.iife.js ${uplot}/uPlot.min.css DESTINATION report/assets/uplot)
