"""Asking servers that speak the chat-completions protocol, and keeping what they answer."""
