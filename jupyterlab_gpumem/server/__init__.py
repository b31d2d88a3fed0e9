"""What runs in Jupyter Server: REST routes, the snapshot, and the conversation with the kernels."""
