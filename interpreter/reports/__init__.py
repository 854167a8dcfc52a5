"""Findings and test results as other programs read them: SARIF, JUnit, annotations, json; and as text."""
