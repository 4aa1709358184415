"""The machine: glTF, geometry, placement, building, replay, rendering and the command line."""
