"""The closing line of the known answers, shown whatever pytest captures."""
LINES = []


def pytest_terminal_summary(terminalreporter):
    for line in LINES:
        terminalreporter.write_line(line)
