; Where does a 16 by 16 block lie in a row of 48 positions? Sums of absolute differences with vdist, accumulators and the scalar
; result unit.
; memory 0x20000: 00000011 00000000
	.text
	.global _start
_start:	mov	r1,0x21000	; 16 rows of 64 bytes
	mov	r2,0
	mov	r3,1024
	mov	r4,12345
fill:	mul	r4,0x41c64e6d
	add	r4,12345
	lsr	r5,r4,16
	stb	r5,(r1+r2)
	addcmpbne r2,1,r3,fill
	mov	r5,64
	add	r6,r1,17	; the block that is looked for
	v8ld	H(0++,0),(r6+=r5) REP16
	mov	r7,0		; position
	mov	r8,-1		; best
	mov	r9,0x7fffffff	; its sum
	mov	r11,48
next:	add	r6,r1,r7
	v8ld	H(16++,0),(r6+=r5) REP16
	v16dist	-,H(0++,0),H(16++,0) REP16 CLRA UACC
	vgetacc	-,-,0 SUMU r0
	cmp	r0,r9
	mov.lt	r9,r0
	mov.lt	r8,r7
	addcmpblt r7,1,r11,next
	mov	r10,0x20000
	st	r8,(r10)
	st	r9,(r10+4)
	mov	r0,0
	sleep
