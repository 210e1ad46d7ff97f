"""The stage `source`: reads documents and resolves references between them."""
