; The sieve of Eratosthenes: how many primes are below 1000, and the largest of them.
; memory 0x20000: 000000a8 000003e5
	.text
	.global _start
_start:	mov	r1,0x21000	; a byte for each number, 0: prime
	mov	r2,2
outer:	ldb	r3,(r1+r2)
	cmp	r3,0
	bne	skip
	mov	r4,r2
	mul	r4,r2		; multiples below the square are struck out already
	mov	r5,1
strike:	cmp	r4,1000
	bge	skip
	stb	r5,(r1+r4)
	add	r4,r2
	b	strike
skip:	add	r2,1
	cmp	r2,32
	blt	outer
	mov	r0,0		; count
	mov	r2,2
	mov	r7,1000
count:	ldb	r3,(r1+r2)
	cmp	r3,0
	add.eq	r0,r0,1
	mov.eq	r6,r2
	addcmpblt r2,1,r7,count
	mov	r10,0x20000
	st	r0,(r10)
	st	r6,(r10+4)
	mov	r0,0
	sleep
