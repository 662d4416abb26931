; Says hello on the mini UART: enable it, route GPIO 14 and 15 to it, wait for room, write a byte.
; uart: hello from the VPU
	.text
	.global _start
_start:	mov	sp,0x1c000
	mov	r1,0x7e215000	; AUX
	mov	r2,1
	st	r2,(r1+4)	; ENABLES: the mini UART
	mov	r3,0x7e200000	; GPIO
	mov	r2,0x12000	; GPFSEL1: 14 and 15 are alternate function 5
	st	r2,(r3+4)
	lea	r0,text
next:	ldb	r2,(r0++)
	cmp	r2,0
	beq	done
wait:	ld	r3,(r1+0x54)	; LSR
	btest	r3,5
	beq	wait
	st	r2,(r1+0x40)
	b	next
done:	mov	r0,0
	sleep
text:	.ascii	"hello from the VPU\n"
	.byte	0
