/** Reads and writes the little-endian, length-prefixed fields of the frame protocol. */
export class ByteWriter {
  readonly #parts: Buffer[] = [];

  u8(value: number): this {
    return this.raw(Buffer.of(value));
  }
  u32(value: number): this {
    const part = Buffer.allocUnsafe(4);
    part.writeUInt32LE(value);
    return this.raw(part);
  }
  i32(value: number): this {
    const part = Buffer.allocUnsafe(4);
    part.writeInt32LE(value);
    return this.raw(part);
  }
  u64(value: bigint): this {
    const part = Buffer.allocUnsafe(8);
    part.writeBigUInt64LE(value);
    return this.raw(part);
  }
  /** A length and that many bytes. */
  bytes(value: Uint8Array | string): this {
    const part = typeof value === 'string' ? Buffer.from(value) : value;
    return this.u32(part.length).raw(part);
  }
  list(values: readonly (Uint8Array | string)[]): this {
    this.u32(values.length);
    for (const value of values) this.bytes(value);
    return this;
  }
  raw(part: Uint8Array): this {
    this.#parts.push(Buffer.from(part.buffer, part.byteOffset, part.byteLength));
    return this;
  }
  end(): Buffer {
    return Buffer.concat(this.#parts);
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
