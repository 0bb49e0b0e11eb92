# Installed layout and the CMake package come here.
