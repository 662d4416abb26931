#!/bin/sh
# refused_alike.sh WEFT - what `weft run` refuses for a program's own sake, `weft check` refuses in the same words, as TAP.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/../cli/tap.sh"
weft=$1

# both NAME: the program is in $scratch/program.
both() {
    {
        echo '#!amber'
        case $(head -n 1 "$scratch/program") in
        COMP) echo 'SHADER compute s TGSI' ;;
        *) echo 'SHADER fragment s TGSI' ;;
        esac
        cat "$scratch/program"
        echo 'END'
        echo 'BUFFER fb FORMAT R32_SFLOAT'
        case $(head -n 1 "$scratch/program") in
        COMP) printf 'PIPELINE compute p\n ATTACH s\nEND\nRUN p 1 1 1\n' ;;
        *)
            echo 'SHADER vertex v PASSTHROUGH'
            printf 'PIPELINE graphics p\n ATTACH v\n ATTACH s\n FRAMEBUFFER_SIZE 4 4\n'
            printf ' BIND BUFFER fb AS color LOCATION 0\nEND\nRUN p DRAW_RECT POS 0 0 SIZE 4 4\n'
            ;;
        esac
    } >"$scratch/job.amber"
    fine=0
    "$weft" check -i tgsi "$scratch/program" >"$scratch/check" 2>&1
    [ $? -eq 1 ] || fine=1
    "$weft" run "$scratch/job.amber" >"$scratch/run" 2>&1
    [ $? -eq 1 ] || fine=1
    said=$(sed -n 's/.*: error: //p' "$scratch/check" | head -n 1)
    ran=$(sed -n 's/.*: error: //p' "$scratch/run" | head -n 1)
    { [ -n "$said" ] && [ "$said" = "$ran" ]; } || fine=1
    report $fine "$1: check says '$said', run '$ran'"
}

repeat() {
    awk -v n="$1" -v line="$2" 'BEGIN { for (i = 0; i < n; i++) print line }'
}

{
    printf 'COMP\nDCL TEMP[0]\n'
    repeat 20000 'IF TEMP[0]'
    repeat 20000 'ENDIF'
    echo END
} >"$scratch/program"
both '20,000 IFs inside one another'

printf 'COMP\nDCL TEMP[0..32767]\nMOV TEMP[0], TEMP[1]\nEND\n' >"$scratch/program"
both '32,768 registers'

view='DCL SAMP[0]\nDCL TEMP[0]\nDCL OUT[0], COLOR\n'
for case in 'BUFFER:SAMPLE TEMP[0], TEMP[0], SVIEW[0], SAMP[0]' '2D:SAMPLE_I_MS TEMP[0], TEMP[0], SVIEW[0], TEMP[0]' \
    '2D_MSAA:SAMPLE_I TEMP[0], TEMP[0], SVIEW[0]' 'CUBE:SAMPLE_I TEMP[0], TEMP[0], SVIEW[0]' \
    '3D:GATHER4 TEMP[0], TEMP[0], SVIEW[0], SAMP[0]' '1D_ARRAY:GATHER4 TEMP[0], TEMP[0], SVIEW[0], SAMP[0]' \
    'BUFFER:LOD TEMP[0], TEMP[0], SVIEW[0], SAMP[0]'; do
    printf 'FRAG\nDCL SVIEW[0], %s, FLOAT\n%b%s\nMOV OUT[0], TEMP[0]\nEND\n' "${case%%:*}" "$view" "${case#*:}" \
        >"$scratch/program"
    both "${case#*:} of ${case%%:*}"
done

printf 'FRAG\nDCL SV[0], DRAWID\nDCL OUT[0], COLOR\nDCL TEMP[0]\nMOV OUT[0], SV[0][1]\nEND\n' >"$scratch/program"
both 'two brackets of SV'
printf 'COMP\nDCL RES[0], BUFFER, RAW\nDCL TEMP[0]\nSTORE RES[0].x, TEMP[0], TEMP[0]\nEND\n' >"$scratch/program"
both 'STORE to what is not writable'
printf 'COMP\nDCL BUFFER[64]\nDCL TEMP[0]\nSTORE BUFFER[64].x, TEMP[0], TEMP[0]\nEND\n' >"$scratch/program"
both 'a buffer that there is none of'
printf 'COMP\nDCL TEMP[0]\nCAL :1\nEND\nBGNSUB\nENDSUB\n' >"$scratch/program"
both 'a call of what is no subroutine'
printf 'COMP\nDCL IMAGE[0], 2D, PIPE_FORMAT_R8G8B8A8_UNORM, WR\nDCL TEMP[0]\nATOMUADD TEMP[0].x, IMAGE[0], TEMP[0], TEMP[0]\nEND\n' \
    >"$scratch/program"
both 'an atomic of texels that are not one number'
echo "1..$count"
