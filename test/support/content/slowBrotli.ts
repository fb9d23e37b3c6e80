/** Bits as Brotli takes them, least significant first. */
class Bits {
  readonly bytes: Array<number> = []
  #byte = 0
  #used = 0

  write(value: number, count: number): this {
    for (let bit = 0; bit < count; bit++) {
      this.#byte |= ((value >>> bit) & 1) << this.#used
      if (++this.#used < 8) continue
      this.bytes.push(this.#byte)
      this.#byte = 0
      this.#used = 0
    }
    return this
  }
}

/** A prefix code of one symbol (RFC 7932, 3.4). */
const only = (bits: Bits, symbol: number, size: number) => bits.write(1, 2).write(0, 2).write(symbol, size)

/** A meta-block of one byte with 256 types of literals and a context map of 16,384 entries, moved to front. */
const metaBlock = (bits: Bits): void => {
  bits.write(0, 1).write(0, 2).write(0, 16).write(0, 1)
  bits.write(1, 1).write(7, 3).write(127, 7)
  only(bits, 0, 9)
  only(bits, 0, 5)
  bits.write(0, 2).write(0, 1).write(0, 1).write(0, 2).write(0, 4)
  for (let type = 0; type < 256; type++) bits.write(0, 2)
  bits.write(1, 1).write(0, 3).write(1, 1).write(13, 4)
  only(bits, 14, 4).write(0, 14).write(1, 1).write(0, 1)
  only(bits, 97, 8)
  only(bits, 98, 8)
  only(bits, 8, 10)
  only(bits, 0, 6)
}

/** A valid stream of so many bytes that gives next to nothing and takes most of a microsecond for each of them. */
export const slowBrotli = (size: number): Buffer => {
  const bits = new Bits().write(0, 1)
  while (bits.bytes.length < size - 100) metaBlock(bits)
  return Buffer.from(bits.write(1, 1).write(1, 1).write(0, 7).bytes)
}
