# bash completion for weft

_weft() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local stages='vertex tess-control tess-evaluation geometry fragment compute'
    local target='-i --isa -m --chip -s --stage' compile='-D --define -I --include --common --entry'
    local isas options isa at

    COMPREPLY=()
    if [[ $COMP_CWORD -eq 1 ]]; then
        mapfile -t COMPREPLY < <(compgen -W 'draw run boot asm dis check explain isa help --help --version' -- "$word")
        return
    fi

    isas=$(weft isa 2>/dev/null | awk 'NR > 1 { print $1 }')
    case $before in
    -i | --isa) mapfile -t COMPREPLY < <(compgen -W "$isas" -- "$word") && return ;;
    -s | --stage) mapfile -t COMPREPLY < <(compgen -W "$stages" -- "$word") && return ;;
    -f | --format)
        [[ $command == dis ]] && mapfile -t COMPREPLY < <(compgen -W 'bin hex words' -- "$word") && return
        [[ $command == explain ]] && mapfile -t COMPREPLY < <(compgen -W 'words hex' -- "$word") && return
        mapfile -t COMPREPLY < <(compgen -W 'bin hex words elf' -- "$word") && return
        ;;
    --mesh) mapfile -t COMPREPLY < <(compgen -W 'quad sphere cube teapot' -- "$word") && return ;;
    --engine) mapfile -t COMPREPLY < <(compgen -W 'auto interp jit' -- "$word") && return ;;
    --cpu) mapfile -t COMPREPLY < <(compgen -W 'best baseline avx2 avx512' -- "$word") && return ;;
    --form) mapfile -t COMPREPLY < <(compgen -W 'text json github sarif' -- "$word") && return ;;
    --files-from | -I | --include) mapfile -t COMPREPLY < <(compgen -d -- "$word") && return ;;
    --html) mapfile -t COMPREPLY < <(compgen -d -- "$word") && return ;;
    -m | --chip)
        for ((at = 2; at < COMP_CWORD - 1; at++)); do
            [[ ${COMP_WORDS[at]} == -i || ${COMP_WORDS[at]} == --isa ]] || continue
            isa=${COMP_WORDS[at + 1]}
            [[ $isa == '=' ]] && isa=${COMP_WORDS[at + 2]}
        done
        [[ $isa ]] && mapfile -t COMPREPLY < <(compgen -W "$(weft isa "$isa" --json 2>/dev/null |
            awk '/^ "chips": \[$/ { on = 1; next } on && /\]/ { exit } on { gsub(/[ ",]/, ""); print }')" -- "$word")
        return
        ;;
    --dump | --dump-buffer | --dump-image | --groups | --trace-at | --trace-id | --size | --vertices | --time | --clear | --threads | --budget | --repeat | --frames | --frame | --rate | --load | --limit | --sdram | --memory | --timeout | --gdb | --start | --length) return ;;
    esac

    case $command in
    help)
        mapfile -t COMPREPLY < <(compgen -W 'draw run boot asm dis check explain isa' -- "$word")
        return
        ;;
    draw)
        options="$target $compile --pack --vertex --vertex-entry --linkage --vertex-linkage --mesh --vertices --pass --frame --size --uniform --texture --const --time --clear --threads
            --budget --repeat --frames --rate --cpu --engine --strict --stats --output -o"
        ;;
    run)
        options="$target $compile --pack --buffer --dump-buffer --image --dump-image --texture --uniform --groups --const --linkage --dump --trace --trace-at --trace-id --json
            --threads --budget --cpu --engine --stats --strict --list --resume --files-from"
        ;;
    boot) options='--load --entry --set --uart --sdram --limit --budget --dump --regs --stats --log --trace --gdb --cpu --engine' ;;
    asm) options="$target $compile -f --format -e --each --base --no-relax --short --pack --resume -o --output" ;;
    dis) options="$target $compile -f --format -e --each --addr --bytes -l --labels --symbols --json --graph --start --length --guess --base
            --linear --resume -o --output" ;;
    check) options="$target $compile --pack -q --quiet --werror --form --json --files-from --list --resume" ;;
    explain) options="$target -f --format --pack --json" ;;
    isa)
        options='--json --html'
        if [[ $word != -* && $COMP_CWORD -eq 2 ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$isas" -- "$word")
            return
        elif [[ $word != -* && $COMP_CWORD -eq 3 ]]; then
            # names are in the case that the instruction set writes them in, whatever is typed
            mapfile -t COMPREPLY < <(weft isa "${COMP_WORDS[2]}" 2>/dev/null |
                awk -v word="$word" 'NR > 1 && index(tolower($1), tolower(word)) == 1 && !seen[$1]++ { print $1 }')
            return
        fi
        ;;
    esac

    options="$options --memory --timeout --sandbox"
    [[ $command == draw ]] || options="$options --time" # which has a time of its own
    [[ $options == *--budget* ]] || options="$options --budget"
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options --help" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        compopt -o filenames 2>/dev/null
    fi
}

complete -F _weft weft
