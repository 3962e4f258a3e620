/** What a process keeps of segments: their tables and decoded blocks, up to a number of bytes; the least used go first. */
export class SegmentCache {
  readonly #maxBytes: number;
  /** From the least to the most recently used. */
  readonly #items = new Map<string, { value: unknown; bytes: number }>();
  readonly #loading = new Map<string, Promise<unknown>>();
  #bytes = 0;

  constructor(maxBytes = DEFAULT_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The bytes of everything it keeps. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The value of a key, of the type it was kept with; undefined if it is not kept. */
  get<Value>(key: string): Value | undefined {
    const item = this.#items.get(key);
    if (item === undefined) return undefined;
    this.#items.delete(key);
    this.#items.set(key, item);
    return item.value as Value;
  }

  /** Keeps a value of this size. One that is larger than an eighth of the limit is not kept. */
  keep(key: string, value: unknown, bytes: number): void {
    this.#drop(key);
    if (bytes > this.#maxBytes / 8) return;
    this.#items.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#items.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
  }

  /** The result of `load`, which runs once for simultaneous calls with a key. */
  async once<Value>(key: string, load: () => Promise<Value>): Promise<Value> {
    const running = this.#loading.get(key);
    if (running) return running as Promise<Value>;
    const loading = load().finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  #drop(key: string): void {
    const item = this.#items.get(key);
    if (item === undefined) return;
    this.#items.delete(key);
    this.#bytes -= item.bytes;
  }
}

const DEFAULT_BYTES = 64 << 20;
