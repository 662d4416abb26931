; The Mandelbrot set in letters on the mini UART, 60 by 20, in single floats.
; uart:          ...................................................
; uart:        ........................,,,,,:,,,,,..................
; uart:       .....................,,,,,,,,::i;iM,,,,,..............
; uart:      ...................,,,,,,,,,,:1iCM1;:,,,,,,............
; uart:    ..................,,,,,,,,:::::;GMMMMM;:::,,,,,..........
; uart:    ...............,,,,,,,,::fMC1tMMMMMMMMMMG;fit;,,.........
; uart:   ............,,,,,,,,,:::;t1MMMMMMMMMMMMMMMMMMC::,,........
; uart:  ......,,,,,,::t;::;;:::;;@MMMMMMMMMMMMMMMMMMMMGMf,,,.......
; uart:  ..,,,,,,,,,,::;tM0MMM01i1MMMMMMMMMMMMMMMMMMMMMMt;,,,,......
; uart:  ,,,,,,,:::;GiiLMMMMMMMMM8MMMMMMMMMMMMMMMMMMMMMMt:,,,,......
; uart: MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM1;::,,,,......
; uart:  ,,,,,,,:::;GiiLMMMMMMMMM8MMMMMMMMMMMMMMMMMMMMMMt:,,,,......
; uart:  ..,,,,,,,,,,::;tM0MMM01i1MMMMMMMMMMMMMMMMMMMMMMt;,,,,......
; uart:  ......,,,,,,::t;::;;:::;;@MMMMMMMMMMMMMMMMMMMMGMf,,,.......
; uart:   ............,,,,,,,,,:::;t1MMMMMMMMMMMMMMMMMMC::,,........
; uart:    ...............,,,,,,,,::fMC1tMMMMMMMMMMG;fit;,,.........
; uart:    ..................,,,,,,,,:::::;GMMMMM;:::,,,,,..........
; uart:      ...................,,,,,,,,,,:1iCM1;:,,,,,,............
; uart:       .....................,,,,,,,,::i;iM,,,,,..............
; uart:        ........................,,,,,:,,,,,..................
	.text
	.global _start
_start:	mov	r16,0x7e215000
	mov	r0,1
	st	r0,(r16+4)
	mov	r6,-10		; y
row:	mov	r7,-40		; x
column:	flts	r0,r7,sasr 0		; cr = x / 20
	mov	r2,20
	flts	r2,r2,sasr 0
	fdiv	r0,r0,r2
	flts	r1,r6,sasr 0		; ci = y / 8
	mov	r2,8
	flts	r2,r2,sasr 0
	fdiv	r1,r1,r2
	mov	r2,0		; zr
	mov	r3,0		; zi
	mov	r8,0		; n
	mov	r11,4
	flts	r11,r11,sasr 0
iterate: fmul	r4,r2,r2
	fmul	r5,r3,r3
	fadd	r9,r4,r5
	fcmp	r9,r11
	bgt	out
	fmul	r3,r2,r3
	fadd	r3,r3,r3
	fadd	r3,r3,r1
	fsub	r2,r4,r5
	fadd	r2,r2,r0
	addcmpblt r8,1,32,iterate
out:	lea	r9,letters
	lsr	r8,1
	ldb	r0,(r9+r8)
	bl	putc
	addcmpblt r7,1,20,column
	mov	r0,10
	bl	putc
	addcmpble r6,1,9,row
	mov	r0,0
	sleep
putc:	ld	r15,(r16+0x54)
	btest	r15,5
	beq	putc
	st	r0,(r16+0x40)
	b	lr
letters: .ascii	" .,:;i1tfLCG08@#M"
