#!/bin/sh
# job_types.sh WEFT - what weft run says where a program of SPIR-V and its job take something for different things.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
weft=$(realpath "$1")
cd "$scratch" || exit 1

# warns CODE: the job on standard input has a warning of that code, and no other.
warns() {
    cat >job.amber
    "$weft" run --json job.amber >said 2>"$scratch/err"
    tr -d ' \n' <said | grep -o '"code":"[a-z-]*"' | sort -u >codes
    [ "$(cat codes)" = "${1:+\"code\":\"$1\"}" ] || { cat said; return 1; }
}

# texels CODE TYPE STATEMENT FORMAT BIND: a compute program sees an image of that format.
texels() {
    warns "$1" <<JOB
#!amber
SHADER compute see GLSL
#version 450
layout(set = 0, binding = 0) buffer Out { vec4 a; ivec4 b; };
layout(set = 0, binding = 1$2 seen;
void main() { $3; }
END
BUFFER out DATA_TYPE vec4<float> SIZE 2 FILL 0
IMAGE picture FORMAT $4 DIM_2D WIDTH 2 HEIGHT 2 FILL 1
SAMPLER nearest
PIPELINE compute p
  ATTACH see
  BIND BUFFER out AS storage DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER picture AS $5 DESCRIPTOR_SET 0 BINDING 1
END
RUN p 1 1 1
JOB
}
sampled='combined_image_sampler SAMPLER nearest'
check 'a texture of integers that is one of floats' texels other-numbers ') uniform isampler2D' \
    'b = texelFetch(seen, ivec2(0), 0)' R8G8B8A8_UNORM "$sampled"
check 'and the reverse' texels other-numbers ') uniform sampler2D' 'a = texelFetch(seen, ivec2(0), 0)' R32_UINT "$sampled"
check 'integers with and without a sign' texels '' ') uniform isampler2D' 'b = texelFetch(seen, ivec2(0), 0)' R32_UINT \
    "$sampled"
check 'a depth is a float' texels '' ') uniform sampler2D' 'a = texelFetch(seen, ivec2(0), 0)' D32_SFLOAT "$sampled"
check 'an image of another format' texels other-format ', rgba32f) uniform image2D' 'a = imageLoad(seen, ivec2(0))' \
    R8G8B8A8_UNORM storage_image
says_formats() {
    "$weft" run job.amber 2>"$scratch/err"
    says "^job.amber:.* warning: 'see' says that image 'seen' is R32G32B32A32_SFLOAT, and 'picture' is R8G8B8A8_UNORM: it"
}
check 'which are named' says_formats
check 'an image of that format' texels '' ', rgba8) uniform image2D' 'a = imageLoad(seen, ivec2(0))' R8G8B8A8_UNORM \
    storage_image
check 'an image of integers' texels other-numbers ', rgba8i) uniform iimage2D' 'b = imageLoad(seen, ivec2(0))' \
    R8G8B8A8_UNORM storage_image

# draws CODE TYPE-OF-INPUT TYPE-OF-OUTPUT FORMAT DATA_TYPE
draws() {
    warns "$1" <<JOB
#!amber
SHADER vertex place GLSL
#version 450
layout(location = 0) in $2 at;
void main() { gl_Position = vec4(at); }
END
SHADER fragment paint GLSL
#version 450
layout(location = 0) out $3 color;
void main() { color = $3(1); }
END
BUFFER corners DATA_TYPE vec4<$5> DATA 0 0 0 1  1 0 0 1  0 1 0 1 END
IMAGE picture FORMAT $4 DIM_2D WIDTH 8 HEIGHT 8
PIPELINE graphics p
  ATTACH place
  ATTACH paint
  VERTEX_DATA corners LOCATION 0
  BIND BUFFER picture AS color LOCATION 0
END
RUN p DRAW_ARRAY AS TRIANGLE_LIST START_IDX 0 COUNT 3
JOB
}
check 'floats all the way' draws '' vec4 vec4 R8G8B8A8_UNORM float
check 'integers all the way' draws '' ivec4 uvec4 R8G8B8A8_UINT int32
check 'an output of integers' draws other-numbers vec4 ivec4 R8G8B8A8_UNORM float
check 'an output of floats' draws other-numbers vec4 vec4 R8G8B8A8_UINT float
check 'an input of integers' draws other-numbers ivec4 vec4 R8G8B8A8_UNORM float
says_numbers() {
    "$weft" run job.amber 2>"$scratch/err"
    says "^job.amber:.* warning: input 'at' of 'place' is of integers, and 'corners' is R32G32B32A32_SFLOAT: the bits are"
}
check 'which is named' says_numbers
check 'an input of floats' draws other-numbers vec4 vec4 R8G8B8A8_UNORM uint32

# numbers CODE CONSTANT SET
numbers() {
    warns "$1" <<JOB
#!amber
SHADER compute put GLSL
#version 450
layout(constant_id = 3) const int value = 1;
layout(set = 0, binding = 2) buffer Out { int a; };
void main() { a = value; }
END
BUFFER out DATA_TYPE int32 SIZE 1 FILL 0
PIPELINE compute p
  ATTACH put SPECIALIZE $2 AS int32 7
  BIND BUFFER out AS storage DESCRIPTOR_SET $3 BINDING 2
END
RUN p 1 1 1
JOB
}
check 'a constant' numbers '' 3 0
check 'a constant that there is not' numbers no-constant 4 0
elsewhere() {
    numbers '' 3 1 >said 2>&1
    "$weft" run job.amber 2>&1 | grep -qx "  'out' is bound to DESCRIPTOR_SET 1 BINDING 2, which no program of 'p' has"
}
check 'a buffer in another set' elsewhere
finish
