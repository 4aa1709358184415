"""Pictures of the states of chains: cameras, pieces as they are drawn, images, readouts, and runs over many states."""
