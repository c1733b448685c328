# The C module is the package's own affair.
from typing import Any

def __getattr__(name: str) -> Any: ...
