; C = A * B for 16 by 16 matrices of halfwords, C of words. A[i][k] = 3 * i - k, B[k][j] = k * j - 20. A lane is a column of C;
; a row of B is chosen by a scalar register, 64 for each row.
; memory 0x20000: 00000960 00000488 ffffffb0 fffffad8 fffff600 fffff128 ffffec50 ffffe778 ffffe2a0 ffffddc8 ffffd8f0 ffffd418
; memory 0x20030: ffffcf40 ffffca68 ffffc590 ffffc0b8 000005a0 00000230 fffffec0 fffffb50 fffff7e0 fffff470 fffff100 ffffed90
; memory 0x20060: ffffea20 ffffe6b0 ffffe340 ffffdfd0 ffffdc60 ffffd8f0 ffffd580 ffffd210 000001e0 ffffffd8 fffffdd0 fffffbc8
; memory 0x20090: fffff9c0 fffff7b8 fffff5b0 fffff3a8 fffff1a0 ffffef98 ffffed90 ffffeb88 ffffe980 ffffe778 ffffe570 ffffe368
; memory 0x200c0: fffffe20 fffffd80 fffffce0 fffffc40 fffffba0 fffffb00 fffffa60 fffff9c0 fffff920 fffff880 fffff7e0 fffff740
; memory 0x200f0: fffff6a0 fffff600 fffff560 fffff4c0 fffffa60 fffffb28 fffffbf0 fffffcb8 fffffd80 fffffe48 ffffff10 ffffffd8
; memory 0x20120: 000000a0 00000168 00000230 000002f8 000003c0 00000488 00000550 00000618 fffff6a0 fffff8d0 fffffb00 fffffd30
; memory 0x20150: ffffff60 00000190 000003c0 000005f0 00000820 00000a50 00000c80 00000eb0 000010e0 00001310 00001540 00001770
; memory 0x20180: fffff2e0 fffff678 fffffa10 fffffda8 00000140 000004d8 00000870 00000c08 00000fa0 00001338 000016d0 00001a68
; memory 0x201b0: 00001e00 00002198 00002530 000028c8 ffffef20 fffff420 fffff920 fffffe20 00000320 00000820 00000d20 00001220
; memory 0x201e0: 00001720 00001c20 00002120 00002620 00002b20 00003020 00003520 00003a20 ffffeb60 fffff1c8 fffff830 fffffe98
; memory 0x20210: 00000500 00000b68 000011d0 00001838 00001ea0 00002508 00002b70 000031d8 00003840 00003ea8 00004510 00004b78
; memory 0x20240: ffffe7a0 ffffef70 fffff740 ffffff10 000006e0 00000eb0 00001680 00001e50 00002620 00002df0 000035c0 00003d90
; memory 0x20270: 00004560 00004d30 00005500 00005cd0 ffffe3e0 ffffed18 fffff650 ffffff88 000008c0 000011f8 00001b30 00002468
; memory 0x202a0: 00002da0 000036d8 00004010 00004948 00005280 00005bb8 000064f0 00006e28 ffffe020 ffffeac0 fffff560 00000000
; memory 0x202d0: 00000aa0 00001540 00001fe0 00002a80 00003520 00003fc0 00004a60 00005500 00005fa0 00006a40 000074e0 00007f80
; memory 0x20300: ffffdc60 ffffe868 fffff470 00000078 00000c80 00001888 00002490 00003098 00003ca0 000048a8 000054b0 000060b8
; memory 0x20330: 00006cc0 000078c8 000084d0 000090d8 ffffd8a0 ffffe610 fffff380 000000f0 00000e60 00001bd0 00002940 000036b0
; memory 0x20360: 00004420 00005190 00005f00 00006c70 000079e0 00008750 000094c0 0000a230 ffffd4e0 ffffe3b8 fffff290 00000168
; memory 0x20390: 00001040 00001f18 00002df0 00003cc8 00004ba0 00005a78 00006950 00007828 00008700 000095d8 0000a4b0 0000b388
; memory 0x203c0: ffffd120 ffffe160 fffff1a0 000001e0 00001220 00002260 000032a0 000042e0 00005320 00006360 000073a0 000083e0
; memory 0x203f0: 00009420 0000a460 0000b4a0 0000c4e0
	.text
	.global _start
_start:	mov	r1,0x21000	; A
	mov	r2,0x22000	; B
	mov	r6,0
	mov	r8,r1
	mov	r9,r2
rows:	mov	r7,0
	mul	r4,r6,3
columns: sub	r5,r4,r7
	sth	r5,(r8++)
	mul	r5,r6,r7
	sub	r5,20
	sth	r5,(r9++)
	addcmpbne r7,1,16,columns
	addcmpbne r6,1,16,rows
	mov	r3,32
	v16ld	HX(0++,0),(r2+=r3) REP16
	mov	r10,0x20000
	mov	r6,0		; i
next:	mov	r4,0		; row of B, as the vector unit counts
	mov	r7,0		; k
	v16mov	-,0 CLRA SACC	; accumulators are 0
term:	ldsh	r5,(r1++)
	vmul32.ss -,HX(0,0)+r4,r5 SACC
	add	r4,64
	addcmpbne r7,1,16,term
	vgetacc	HY(32,0),-,0
	v32st	HY(32,0),(r10)
	add	r10,64
	addcmpbne r6,1,16,next
	mov	r0,0
	sleep
