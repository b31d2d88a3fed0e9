"""The conversation with each kernel's agent, and which process belongs to which kernel."""
