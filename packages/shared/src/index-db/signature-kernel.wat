;; Compares one signature with many. A signature has a bit a number of its vector, set where that is above zero, in words of 64
;; bits. Danger: offsets are trusted; callers pass an even number of words and offsets in multiples of 8 (signature-blocks.ts).
;; Why not SIMD: popcnt over 64 bits is one instruction of every processor of the last ten years, and quicker than counting
;; sixteen bytes by looking them up.
;; Compiled by test/support/build-kernel.mjs into signature-kernel-bytes.ts; a test compares the two.
(module
  (import "env" "memory" (memory 1))

  ;; In how many bits each of $count signatures differs from $query: one u16 each at $out, 65535 where the byte at $mask is 0.
  ;; How often each number came up is added to the u32 at $histogram.
  (func (export "compare")
    (param $signatures i32) (param $words i32) (param $count i32) (param $mask i32)
    (param $query i32) (param $out i32) (param $histogram i32)
    (local $n i32) (local $at i32) (local $with i32) (local $end i32) (local $bits i64) (local $slot i32)
    (local.set $at (local.get $signatures))
    (loop $next
      (if (local.get $count)
        (then
          (local.set $end (i32.add (local.get $at) (i32.shl (local.get $words) (i32.const 3))))
          (if (i32.load8_u (local.get $mask))
            (then
              (local.set $bits (i64.const 0))
              (local.set $with (local.get $query))
              (loop $more
                (local.set $bits
                  (i64.add (local.get $bits)
                    (i64.add
                      (i64.popcnt (i64.xor (i64.load offset=0 (local.get $at)) (i64.load offset=0 (local.get $with))))
                      (i64.popcnt (i64.xor (i64.load offset=8 (local.get $at)) (i64.load offset=8 (local.get $with)))))))
                (local.set $with (i32.add (local.get $with) (i32.const 16)))
                (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
              (local.set $n (i32.wrap_i64 (local.get $bits)))
              (i32.store16 (local.get $out) (local.get $n))
              (local.set $slot (i32.add (local.get $histogram) (i32.shl (local.get $n) (i32.const 2))))
              (i32.store (local.get $slot) (i32.add (i32.load (local.get $slot)) (i32.const 1))))
            (else
              (i32.store16 (local.get $out) (i32.const 65535))
              (local.set $at (local.get $end))))
          (local.set $mask (i32.add (local.get $mask) (i32.const 1)))
          (local.set $out (i32.add (local.get $out) (i32.const 2)))
          (local.set $count (i32.sub (local.get $count) (i32.const 1)))
          (br $next)))))

  ;; Writes $first + i for each i of $count whose u16 at $differences is at most $most, as u32 at $out. Returns where it stopped.
  (func (export "collect")
    (param $differences i32) (param $count i32) (param $most i32) (param $first i32) (param $out i32) (result i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $first) (local.get $count)))
    (loop $next
      (if (i32.lt_u (local.get $first) (local.get $end))
        (then
          ;; Written every time and kept only where it counts: no jump to guess.
          (i32.store (local.get $out) (local.get $first))
          (local.set $out
            (i32.add (local.get $out)
              (i32.shl (i32.le_u (i32.load16_u (local.get $differences)) (local.get $most)) (i32.const 2))))
          (local.set $differences (i32.add (local.get $differences) (i32.const 2)))
          (local.set $first (i32.add (local.get $first) (i32.const 1)))
          (br $next))))
    (local.get $out))

  ;; The inner product of the query with a signature read as +1 and -1. The query is eight planes of bits, the lowest first: bit i
  ;; of plane b is bit b of the i-th number, which is worth $low + $step times that; $total is what all of them are worth.
  (func (export "weigh")
    (param $signature i32) (param $words i32) (param $planes i32) (param $low f32) (param $step f32) (param $total f32)
    (result f32)
    (local $end i32) (local $stride i32) (local $x i64) (local $p i32) (local $set i64) (local $sum i64)
    (local.set $stride (i32.shl (local.get $words) (i32.const 3)))
    (local.set $end (i32.add (local.get $signature) (local.get $stride)))
    (loop $next
      (local.set $x (i64.load (local.get $signature)))
      (local.set $set (i64.add (local.get $set) (i64.popcnt (local.get $x))))
      (local.set $p (local.get $planes))
      (local.set $sum (i64.add (local.get $sum) (i64.popcnt (i64.and (local.get $x) (i64.load (local.get $p))))))
      (local.set $p (i32.add (local.get $p) (local.get $stride)))
      (local.set $sum (i64.add (local.get $sum) (i64.shl (i64.popcnt (i64.and (local.get $x) (i64.load (local.get $p)))) (i64.const 1))))
      (local.set $p (i32.add (local.get $p) (local.get $stride)))
      (local.set $sum (i64.add (local.get $sum) (i64.shl (i64.popcnt (i64.and (local.get $x) (i64.load (local.get $p)))) (i64.const 2))))
      (local.set $p (i32.add (local.get $p) (local.get $stride)))
      (local.set $sum (i64.add (local.get $sum) (i64.shl (i64.popcnt (i64.and (local.get $x) (i64.load (local.get $p)))) (i64.const 3))))
      (local.set $p (i32.add (local.get $p) (local.get $stride)))
      (local.set $sum (i64.add (local.get $sum) (i64.shl (i64.popcnt (i64.and (local.get $x) (i64.load (local.get $p)))) (i64.const 4))))
      (local.set $p (i32.add (local.get $p) (local.get $stride)))
      (local.set $sum (i64.add (local.get $sum) (i64.shl (i64.popcnt (i64.and (local.get $x) (i64.load (local.get $p)))) (i64.const 5))))
      (local.set $p (i32.add (local.get $p) (local.get $stride)))
      (local.set $sum (i64.add (local.get $sum) (i64.shl (i64.popcnt (i64.and (local.get $x) (i64.load (local.get $p)))) (i64.const 6))))
      (local.set $p (i32.add (local.get $p) (local.get $stride)))
      (local.set $sum (i64.add (local.get $sum) (i64.shl (i64.popcnt (i64.and (local.get $x) (i64.load (local.get $p)))) (i64.const 7))))
      (local.set $planes (i32.add (local.get $planes) (i32.const 8)))
      (br_if $next
        (i32.lt_u (local.tee $signature (i32.add (local.get $signature) (i32.const 8))) (local.get $end))))
    (f32.sub
      (f32.mul (f32.const 2)
        (f32.add
          (f32.mul (local.get $low) (f32.convert_i64_u (local.get $set)))
          (f32.mul (local.get $step) (f32.convert_i64_u (local.get $sum)))))
      (local.get $total)))
)
