"""Finds the tools that fit a request in plain words. No model, no network, nothing to install.

words       names and texts as comparable words
concepts    what words mean: synonyms and the same in other languages (the tables beside it hold the words)
request     a query: what is looked for, and what is to be done with it
documents   a tool: its fields
index       Okapi BM25 over these fields (BM25F), then what tells siblings apart
search_tools  the tools of the search mode
"""
