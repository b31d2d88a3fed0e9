"""The command line: ``jupyter gpumem``."""
