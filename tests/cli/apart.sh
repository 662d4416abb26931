#!/bin/sh
# apart.sh WEFT - texts that kill glslang, or that it never finishes, and modules that kill the optimiser: weft says so,
# within its limits, and goes on.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
weft=$(realpath "$1")
cd "$scratch" || exit 1

if "$weft" --version | grep -q '^shader compilers: none'; then
    echo 'ok 1 # SKIP without glslang'
    echo '1..1'
    exit
fi

printf '#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1); }\n' >fine.frag
printf 'float4 main() : SV_Target { return 0.5; }\n' >fine.hlsl
# glslang 12 dies of this one; one that does not refuses it. Either way there is an error about the file.
printf 'float4 main() : SV_Target { return 0.1++; }\n' >fatal.hlsl
{
    echo '#!amber'
    echo 'SHADER compute c HLSL'
    echo 'float4 f() { return 0.1++; } [numthreads(1, 1, 1)] void main() { f(); }'
    printf 'END\nPIPELINE compute p\nATTACH c\nEND\nRUN p 1 1 1\n'
} >fatal.amber
# SPIRV-Tools 2023.1 dies of an id that nothing makes; one that does not leaves the module to the validator.
{
    echo '#!amber'
    echo 'SHADER compute c SPIRV-ASM'
    printf 'OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main "main"\n'
    printf 'OpExecutionMode %%main LocalSize 1 1 1\n%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n'
    printf '%%int = OpTypeInt 32 1\n%%p = OpTypePointer Private %%int\n%%v = OpVariable %%p Private\n'
    printf '%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%%r = OpLoad %%int %%missing\n'
    printf 'OpStore %%v %%r\nOpReturn\nOpFunctionEnd\nEND\nPIPELINE compute p\nATTACH c\n'
    printf 'SHADER_OPTIMIZATION c\n-Os\nEND\nEND\nRUN p 1 1 1\n'
} >optimised.amber
# An expression of 2^40 terms.
{
    echo '#version 450'
    echo '#define a0 1.0'
    i=0
    while [ $i -lt 40 ]; do
        echo "#define a$((i + 1)) a$i + a$i"
        i=$((i + 1))
    done
    echo 'layout(location = 0) out vec4 c;'
    echo 'void main() { c = vec4(a40); }'
} >endless.frag

fatal() { status 1 "$weft" check -s fragment fatal.hlsl && says '^fatal\.hlsl:.* error: '; }
check 'a text that kills the compiler is an error' fatal
between() {
    status 1 "$weft" check -s fragment fine.hlsl fatal.hlsl fine.hlsl fine.hlsl && says '^fatal\.hlsl:' &&
        ! says '^fine' && grep -q '4 programs checked: 1 error' out err
}
check 'the texts before and after it are not touched' between
check 'a job with it' status 1 "$weft" run fatal.amber
check 'names itself' says 'fatal\.amber'
check 'a module that kills the optimiser is an error of the job' status 1 "$weft" run optimised.amber
check 'which names itself' says 'optimised\.amber:.* error: '
check 'where processes are refused, the compiler works too' status 0 "$weft" asm --sandbox fine.frag -o a.spv
words() { "$weft" asm fine.frag -o b.spv && cmp a.spv b.spv; }
check 'and makes the same words' words
memory() {
    status 1 "$weft" check --memory 64M --timeout 60 endless.frag && says 'endless\.frag: error: out of memory'
}
check '--memory holds for the compiler' memory

# ends COMMAND...: in a group of its own; after it ends, nothing of the group is left.
ends() {
    setsid "$@" >out 2>err </dev/null &
    group=$!
    wait $group
    i=0
    while kill -0 -- -$group 2>left; do
        i=$((i + 1))
        [ $i -lt 100 ] || return 1
        sleep 0.1
    done
}
late() { ends "$weft" check --timeout 1 endless.frag && says 'the time limit is used up'; }
check '--timeout holds for the compiler, which ends too' late
check 'so does that of a weft that is killed' ends timeout -s KILL 2 "$weft" check endless.frag
finish
