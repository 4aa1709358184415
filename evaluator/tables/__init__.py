"""Tables of scores: made from a book of scores, written as Markdown, LaTeX and HTML."""
