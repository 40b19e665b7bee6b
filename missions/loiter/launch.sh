#!/bin/bash
# launch.sh: launches the mission loiter.
#
#   steerageway run loiter                            the same mission, without this script
#   steerageway run missions/loiter/launch.sh -- 10   at ten times real time
#   ./launch.sh 10                                    with the programs of MOOS-IvP

TIME_WARP=""    # none given: the MOOSTimeWarp of the mission file

for ARGI; do
    if [ "${ARGI}" = "--help" -o "${ARGI}" = "-h" ]; then
        echo "launch.sh [OPTIONS] [time_warp]"
        echo "  --help, -h    Show this help message"
        exit 0
    elif [ "${ARGI//[^0-9]/}" = "$ARGI" ]; then
        TIME_WARP=$ARGI
    else
        echo "launch.sh: Bad Arg: $ARGI. Exit Code 1."
        exit 1
    fi
done

echo "Launching the loiter MOOS Community ${TIME_WARP:+(WARP=$TIME_WARP)}"
pAntler loiter.moos ${TIME_WARP:+--MOOSTimeWarp=$TIME_WARP} >& /dev/null &
uMAC loiter.moos
kill -- -$$
