# The engine's sources, for systems that are linked with it into one image: such an image is built where it is run, by the
# compiler for its board. Of everything what an image may be made of, in the same places as here.
set(sources _sources)
install(FILES CMakeLists.txt DESTINATION ${sources})
install(FILES engine/CMakeLists.txt DESTINATION ${sources}/engine)
install(DIRECTORY engine/core engine/include engine/tests engine/loads engine/clocks engine/tools engine/boards
  DESTINATION ${sources}/engine)
install(DIRECTORY engine/ports/freertos DESTINATION ${sources}/engine/ports)
install(FILES src/rtgauge/reference/posix_features.csv src/rtgauge/reference/api_features.csv
  DESTINATION ${sources}/src/rtgauge/reference)
