; Copies 1000 bytes: 15 times 64 with the vector unit, the rest byte by byte; then compares.
; memory 0x20000: 00000000 000003e8
	.text
	.global _start
_start:	mov	r1,0x21000	; from
	mov	r2,0x22000	; to
	mov	r3,1000
	mov	r4,0		; a pattern: n * 7 + (n >> 8)
	mov	r5,r1
fill:	mul	r6,r4,7
	lsr	r7,r4,8
	add	r6,r7
	stb	r6,(r5++)
	addcmpbne r4,1,r3,fill
	mov	r5,r1
	mov	r6,r2
	mov	r4,15
copy:	v32ld	HY(0,0),(r5)
	v32st	HY(0,0),(r6)
	add	r5,64
	add	r6,64
	addcmpbne r4,-1,0,copy
	mov	r4,40
tail:	ldb	r7,(r5++)
	stb	r7,(r6++)
	addcmpbne r4,-1,0,tail
	mov	r0,0		; bytes that differ
	mov	r4,0
check:	ldb	r7,(r1+r4)
	ldb	r8,(r2+r4)
	cmp	r7,r8
	add.ne	r0,r0,1
	addcmpbne r4,1,r3,check
	mov	r10,0x20000
	st	r0,(r10)
	st	r4,(r10+4)
	sleep
