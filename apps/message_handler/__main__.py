"""``python -m apps.message_handler mission.moos``."""

from apps.message_handler.app import MessageHandler
from apps.shell import main

if __name__ == "__main__":
    main(MessageHandler)
