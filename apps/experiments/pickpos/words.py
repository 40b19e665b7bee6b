"""Names and colours of vessels in the order in which MOOS-IvP's launch scripts hand them out.

Source: MOOS-IvP, ``lib_mbutil/VQuals`` (facts: the words and their order).
"""

from __future__ import annotations

NAMES = tuple(
    tuple(words.split())
    for words in (
        """
    abe ben cal deb eve fin gil hix ike jim kim lou max ned oak pal que ray sam tim ula val wes
    xiu yen zan apia baka cary doha evie fahy galt hays iola jing kiev lima mesa nuuk oslo pace
    quay rome sako troy ubly vimy waco xane york zahl
        """,
        """
    avi bee cap dan ebb fay geo ham ivy jan kay lee mel nat ott pat qua ron sid tad umm vik wik
    xik yee zed abby bill clem dana eddy fran gabe hans ivan jade kent lacy mary noel olga paul
    quin rick sage theo uber vick ward xavi yoel zack
        """,
        """
    ada bob cam dee ema flo gus hal ira jax kia leo mia noa ora pam qix roy sky tom una van wim
    xyz yip zip adel bama chad dash emma fern gary hank isla joan kyle lisa mona nick oral page
    quip rice seth tony ugly vice webb xray yara zula
        """,
        """
    art bud coy doc ell fed guy hip icy jed ken lex may nim oma pig qal rob sue ted unk von wam
    xoo yap zap arlo brad chip doug evan ford greg harm ivor jack kurt lane mack nina owen pete
    quem rosa stan troy ulan vipp wood xelp yoga zeke
        """,
    )
)
"""Four sets of 52 names."""

_COLORS = """
    yellow red dodger_blue green purple orange white dark_green dark_red cyan coral brown bisque
    white pink darkslateblue brown burlywood goldenrod ivory khaki lime peru powderblue plum
    sienna sandybrown navy olive magenta
"""
COLORS = tuple(_COLORS.split())
"""Colours, the first ones as different as possible."""
