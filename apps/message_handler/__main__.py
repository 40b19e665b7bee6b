"""``python -m apps.message_handler mission.moos``."""

from steerageway.apps.message_handler.app import MessageHandler
from steerageway.apps.shell import main

if __name__ == "__main__":
    main(MessageHandler)
