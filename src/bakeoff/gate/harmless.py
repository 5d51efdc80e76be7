"""Text of models and items, made safe for the log of a build."""

from bakeoff.visible import visible


def harmless(text: str) -> str:
    """`text` on one line, with nothing in it that a build's runner takes for a command.

    GitHub's runner obeys a line that starts with `::name`, after white space, and `##[name]` anywhere in one.
    """
    line = visible(text).replace("\n", "\\n").replace("\t", " ")
    while "::" in line or "##[" in line:
        line = line.replace("::", ": :").replace("##[", "# #[")
    return line
