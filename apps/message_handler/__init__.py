"""``uFldMessageHandler``: posts what messages from other vessels say."""

from apps.message_handler.app import MessageHandler

__all__ = ["MessageHandler"]
