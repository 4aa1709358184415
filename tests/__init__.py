"""Tests mirror the packages; shared examples lie beside this file."""
