"""The test cluster of Parley: a real Kubernetes, built from Go modules and run on this machine."""
