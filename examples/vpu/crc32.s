; CRC-32 (IEEE 802.3) of "123456789", bit by bit.
; memory 0x20000: cbf43926
	.text
	.global _start
_start:	lea	r1,text
	mov	r2,9
	mov	r0,0xffffffff
	mov	r5,0xedb88320
bytes:	ldb	r3,(r1++)
	eor	r0,r3
	mov	r4,8
bits:	btest	r0,0
	lsr	r0,1
	eor.ne	r0,r0,r5	; lsr leaves the flags alone
	addcmpbne r4,-1,0,bits
	addcmpbne r2,-1,0,bytes
	not	r0,r0
	mov	r10,0x20000
	st	r0,(r10)
	mov	r0,0
	sleep
text:	.ascii	"123456789"
