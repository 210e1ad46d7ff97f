"""The operator's word: settings, policies, and which tools there are."""
