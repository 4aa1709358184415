"""Parts on disk: layouts, captions, retrieval, verified bytes."""
