"""The vocabulary: typed values, their JSON Schemas, canonical encoding and every error a caller may catch."""
