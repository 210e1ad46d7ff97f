"""What the generated tests expect, computed from the plan: the requests of calls, the outcomes of answers, refusals.

Nothing here computes with the run-time library: an expectation that the tested code computes itself would always be met. It is
asked one thing, which patterns it holds texts against at all.
"""
