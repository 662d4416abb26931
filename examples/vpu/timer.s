; Interrupts from channel 1 of the system timer, every 100 microseconds: a vector table, a handler, five ticks. The core sleeps
; between them.
; memory 0x20000: 00000005 00000041 000001f4
	.text
	.global _start
_start:	mov	sp,0x1c000
	mov	r1,0x1b000	; the table: every entry leads to the handler
	lea	r2,handler
	mov	r3,128
table:	st	r2,(r1++)
	addcmpbne r3,-1,0,table
	mov	r16,0x7e002000	; interrupt controller
	mov	r1,0x1b000
	st	r1,(r16+0x30)	; VADDR
	mov	r1,0x10		; priority 1 for number 65
	st	r1,(r16+0x10)	; MASK0
	mov	r17,0x7e003000	; system timer
	mov	r6,0		; ticks
	ld	r8,(r17+4)	; CLO
	add	r7,r8,100
	st	r7,(r17+16)	; C1
	ei
wait:	sleep
	cmp	r6,5
	blt	wait
	mov	r10,0x20000
	st	r6,(r10)
	st	r9,(r10+4)
	sub	r7,100
	sub	r7,r8
	st	r7,(r10+8)	; microseconds
	mov	r0,0
	st	r0,(r16+0x10)
	di
	sleep
handler: stm	r0-r1,(--sp)
	ld	r9,(r16+4)	; S: the number
	bmask	r9,7
	add	r6,1
	add	r7,100
	st	r7,(r17+16)
	mov	r0,2
	st	r0,(r17)	; the match is over
	ldm	r0-r1,(sp++)
	rti
