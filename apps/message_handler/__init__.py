"""``uFldMessageHandler``: posts what messages from other vessels say."""

from steerageway.apps.message_handler.app import MessageHandler

__all__ = ["MessageHandler"]
