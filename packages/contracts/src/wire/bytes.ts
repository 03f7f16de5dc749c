const FIRST_SIZE = 1024;
const SHORT = 1024;

/** Reads and writes the little-endian, length-prefixed fields of the frame protocol. */
export class ByteWriter {
  // One piece of memory: a message of fifty fields made of fifty buffers costs more than all else about it.
  #bytes = Buffer.allocUnsafe(FIRST_SIZE);
  #length = 0;

  u8(value: number): this {
    const at = this.#reserve(1);
    this.#bytes.writeUInt8(value, at);
    return this;
  }
  u32(value: number): this {
    const at = this.#reserve(4);
    this.#bytes.writeUInt32LE(value, at);
    return this;
  }
  i32(value: number): this {
    const at = this.#reserve(4);
    this.#bytes.writeInt32LE(value, at);
    return this;
  }
  u64(value: bigint): this {
    const at = this.#reserve(8);
    this.#bytes.writeBigUInt64LE(value, at);
    return this;
  }
  /** A length and that many bytes. */
  bytes(value: Uint8Array | string): this {
    if (typeof value !== 'string') return this.u32(value.length).raw(value);
    // A short one gets room for the most that it can take: it is measured by writing it, not gone through twice.
    const most = value.length <= SHORT ? value.length * 3 : Buffer.byteLength(value);
    const at = this.u32(0).#reserve(most);
    const length = this.#bytes.write(value, at);
    this.#bytes.writeUInt32LE(length, at - 4);
    this.#length = at + length;
    return this;
  }
  list(values: readonly (Uint8Array | string)[]): this {
    this.u32(values.length);
    for (const value of values) this.bytes(value);
    return this;
  }
  raw(part: Uint8Array): this {
    const at = this.#reserve(part.length);
    this.#bytes.set(part, at);
    return this;
  }
  end(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
  /** Where the next `count` bytes go. */
  #reserve(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, at));
      this.#bytes = larger;
    }
    return at;
  }
}

export class ShortInput extends Error {}

export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }
  #take(count: number): number {
    const at = this.#at;
    if (at + count > this.#bytes.length) throw new ShortInput(`needs ${count} bytes at ${at}, has ${this.#bytes.length - at}`);
    this.#at += count;
    return at;
  }
  u8(): number {
    return this.#bytes.readUInt8(this.#take(1));
  }
  u32(): number {
    return this.#bytes.readUInt32LE(this.#take(4));
  }
  i32(): number {
    return this.#bytes.readInt32LE(this.#take(4));
  }
  u64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#take(8));
  }
  /** A view, not a copy. */
  bytes(): Buffer {
    const length = this.u32();
    const at = this.#take(length);
    return this.#bytes.subarray(at, at + length);
  }
  text(): string {
    return this.bytes().toString('utf8');
  }
  list(): Buffer[] {
    const count = this.u32();
    // Each element needs a length of its own: a larger count is a lie, and must not allocate.
    if (count * 4 > this.#bytes.length - this.#at) throw new ShortInput(`list of ${count}`);
    return Array.from({ length: count }, () => this.bytes());
  }
}
