; The 8 by 8 DCT of integers, scaled by 64 in each direction: T = (C * X) >> 6, then Y = (C * transposed T) >> 6, which is the
; transposed result. The columns of T are vertical registers. X[y][x] = (x * x * 3 + y * 17) & 255.
; memory 0x20000: fef0037b 0001ffd4 000bffde 0005ffee ffc3fea8 ffcb003a ffdd002c fff40017 003a0042 0032ffc7 0021ffd4 000bffe9
; memory 0x20030: ffcbfff9 ffd20032 ffe10026 fff50014 002cfff8 0026ffd4 0019ffde 0008ffee ffdd000a ffe10021 ffeb0019 fff9000d
; memory 0x20060: 0017fff5 0014ffe9 000dffee 0004fff7 fff40007 fff5000b fff90008 fffd0004
	.text
	.global _start
_start:	mov	r1,0x21000	; X, halfwords, rows of 16 of which 8 count
	mov	r6,0
rows:	mov	r7,0
	mul	r4,r6,17
columns: mul	r5,r7,r7
	mul	r5,r5,3
	add	r5,r4
	bmask	r5,8
	sth	r5,(r1++)
	addcmpbne r7,1,16,columns
	addcmpbne r6,1,8,rows
	mov	r1,0x21000
	mov	r3,32
	v16ld	HX(0++,0),(r1+=r3) REP8
	lea	r1,cosines
	mov	r6,0		; u
	mov	r9,0		; where row u of T goes
first:	mov	r4,0
	mov	r7,0
	v16mov	-,0 CLRA SACC
term1:	ldsh	r5,(r1++)
	vmull.ss -,HX(0,0)+r4,r5 SACC
	add	r4,64
	addcmpbne r7,1,8,term1
	vgetacc	HX(16,0)+r9,-,6
	add	r9,64
	addcmpbne r6,1,8,first
	lea	r1,cosines
	mov	r10,0x20000
	mov	r6,0
second:	mov	r4,0
	mov	r7,0
	v16mov	-,0 CLRA SACC
term2:	ldsh	r5,(r1++)
	vmull.ss -,VX(16,0)+r4,r5 SACC
	add	r4,1		; the next column
	addcmpbne r7,1,8,term2
	vgetacc	HX(32,0),-,6
	v16st	HX(32,0),(r10)
	add	r10,16		; 8 halfwords count
	addcmpbne r6,1,8,second
	mov	r0,0
	sleep
	.align	2
cosines:
	.short	23,23,23,23,23,23,23,23
	.short	31,27,18,6,-6,-18,-27,-31
	.short	30,12,-12,-30,-30,-12,12,30
	.short	27,-6,-31,-18,18,31,6,-27
	.short	23,-23,-23,23,23,-23,-23,23
	.short	18,-31,6,27,-27,-6,31,-18
	.short	12,-30,30,-12,-12,30,-30,12
	.short	6,-18,27,-31,31,-27,18,-6
