"""What can only be found out with a real GPU: run by ``make test-gpu``."""
