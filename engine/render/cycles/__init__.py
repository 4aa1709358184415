"""The conditioning image: path-traced pictures of states, made by Blender in worker processes."""
