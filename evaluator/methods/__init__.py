"""Methods that come with the project: simple editors whose place in every table is known beforehand."""
