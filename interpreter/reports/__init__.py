"""Findings and test results as other programs read them: SARIF, JUnit, annotations; and which findings are to be shown."""
