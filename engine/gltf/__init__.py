"""The only reader and writer of glTF 2.0."""
