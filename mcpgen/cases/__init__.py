"""What the generated tests expect, computed from the plan: the requests of calls, the outcomes of answers, refusals.

Nothing here is the run-time library's: an expectation that the tested code computes itself would always be met.
"""
