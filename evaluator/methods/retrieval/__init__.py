"""Editing by retrieval: the words of an instruction, parts that answer to them, and a pose that fits the mask."""
