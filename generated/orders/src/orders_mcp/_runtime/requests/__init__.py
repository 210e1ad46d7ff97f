"""Requests: arguments become a method, an address, headers and a body, byte for byte as OpenAPI says."""
