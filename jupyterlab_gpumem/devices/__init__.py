"""The only place that knows GPUs: providers read them, one sampler thread asks the providers."""
