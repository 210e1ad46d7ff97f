"""A second serialiser of requests, for expectations: written from the specifications, not from the run-time library.

Sources: OpenAPI 3.2 (Parameter, Encoding, Media Type, XML and Security Scheme Objects; Appendices C, D and E), RFC 6570,
RFC 3986, RFC 9110, RFC 6265, RFC 7578, RFC 2046, RFC 7464, RFC 7617. Where those leave a choice of spelling, the choice is
named in the docstring of the module that makes it.
"""
