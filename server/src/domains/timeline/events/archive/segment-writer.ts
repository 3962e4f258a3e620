import { setImmediate } from 'node:timers/promises';
import { type ArchivedEvent, flagKeys, LATE_MICROS, numberKey, valueKey } from './archived-event.ts';
import { ByteWriter, InvalidSegment } from './bytes.ts';
import {
  codeOfNumber,
  encodeColumns,
  encodeProofs,
  encodeReceived,
  encodeTimes,
  eventsPerBlock,
  LEAF_BYTES,
} from './columns.ts';
import { DirectoryWriter, LongerLists } from './directory.ts';
import { layOutSegment, MAX_EVENTS, MAX_POSTINGS, MAX_TEXTS_BYTES, type NewBlock, type SectionName } from './layout.ts';
import { pack } from './packing.ts';
import { SegmentPostings } from './postings.ts';
import { encodeTexts, MAX_TEXT_BYTES, textBlockLimits } from './texts.ts';
import { monthOf } from './times.ts';
import { idPrefixAt, idSuffixAt, UUID_BYTES, uuidBytes } from './uuids.ts';

/**
 * Encodes events of an organization, in ascending order of time and ID, as segments. A segment ends with its month, and
 * when it has as many events, terms or texts as a segment can contain. Throws `InvalidSegment` for events that are not
 * valid or not in order. Compresses outside of the thread of the event loop, and yields to it regularly.
 */
export async function* encodeSegments(
  organization: string,
  events: AsyncIterable<ArchivedEvent> | Iterable<ArchivedEvent>,
): AsyncGenerator<Buffer, void> {
  let writer = new SegmentWriter(organization);
  let count = 0;
  for await (const event of events) {
    if (!writer.hasRoomFor(event)) {
      writer.checkOrder(event);
      yield await writer.finish();
      writer = new SegmentWriter(organization);
    }
    const compressing = writer.add(event);
    if (compressing) await compressing;
    count += 1;
    if (count % EVENTS_PER_TURN === 0) await setImmediate();
  }
  if (writer.events > 0) yield await writer.finish();
}

const EVENTS_PER_TURN = 500;
const KEYS_PER_TURN = 2000;

/** Names in the order of their first use. */
class NameList {
  readonly #places = new Map<string, number>();

  placeOf(name: string): number {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    this.#places.set(name, this.#places.size);
    return this.#places.size - 1;
  }

  get names(): string[] {
    return [...this.#places.keys()];
  }
}

interface TextQueue {
  texts: Uint8Array[];
  bytes: number;
  first: number;
}

const newQueue = (first: number): TextQueue => ({ texts: [], bytes: 0, first });

class SegmentWriter {
  readonly #organization: string;
  readonly #sections = new Map<SectionName, NewBlock[]>();
  readonly #terms = new SegmentPostings();
  readonly #values = new SegmentPostings();
  readonly #kinds = new NameList();
  readonly #sources = new NameList();
  readonly #actors = new NameList();
  readonly #repositories = new NameList();
  readonly #proofs = new NameList();
  readonly #proofCodes: number[] = [];
  // Strings and buffers per event would take ten times the memory.
  readonly #ids = new ByteWriter();
  readonly #leaves = new ByteWriter();
  readonly #times: number[] = [];
  readonly #received: number[] = [];
  #firstId = '';
  #lastId = '';
  readonly #codes = { kind: [], source: [], actor: [], repo: [], pr: [] } as Record<
    'kind' | 'source' | 'actor' | 'repo' | 'pr',
    number[]
  >;
  readonly #texts = { summaries: newQueue(0), details: newQueue(0) };
  #textBytes = 0;

  constructor(organization: string) {
    this.#organization = organization;
  }

  get events(): number {
    return this.#times.length;
  }

  /** Whether a segment can contain this event beside those before. */
  hasRoomFor({ asOf, terms, summary, detail }: ArchivedEvent): boolean {
    const [first] = this.#times;
    if (first === undefined) return true;
    return (
      this.events < MAX_EVENTS &&
      monthOf(asOf) === monthOf(first) &&
      this.#terms.length + terms.length <= MAX_POSTINGS &&
      this.#textBytes + 3 * (summary.length + detail.length) <= MAX_TEXTS_BYTES
    );
  }

  /** Returns a promise if texts are being compressed, which must be awaited before the next call. */
  add(event: ArchivedEvent): Promise<void> | undefined {
    this.#check(event);
    this.checkOrder(event);
    const ordinal = this.events;
    if (ordinal === 0) this.#firstId = event.id;
    this.#lastId = event.id;
    this.#ids.bytes(uuidBytes(event.id));
    this.#times.push(event.asOf);
    this.#received.push(event.receivedAt);
    this.#leaves.bytes(event.leafHash);
    this.#proofCodes.push(event.proof === event.id ? 0 : this.#proofs.placeOf(event.proof) + 1);
    this.#addValues(event, ordinal);
    for (const term of event.terms) {
      if (!Number.isSafeInteger(term) || term < 0) throw new InvalidSegment(`${term} is not a term.`);
      this.#terms.add(term, ordinal);
    }
    const full = [this.#addText('summaries', event.summary), this.#addText('details', event.detail)].filter(
      (compressing) => compressing !== undefined,
    );
    return full.length > 0 ? Promise.all(full).then(() => undefined) : undefined;
  }

  checkOrder({ id, asOf }: ArchivedEvent): void {
    const before = this.#times.at(-1) ?? Number.NEGATIVE_INFINITY;
    if (asOf < before || (asOf === before && id <= this.#lastId))
      throw new InvalidSegment(`The event ${id} is not after the one before.`);
  }

  #check({ id, asOf, receivedAt, leafHash, pr }: ArchivedEvent): void {
    if (!Number.isSafeInteger(asOf) || !Number.isSafeInteger(receivedAt))
      throw new InvalidSegment('A time is not valid.');
    if (leafHash.length !== LEAF_BYTES) throw new InvalidSegment(`The leaf hash of event ${id} is not a SHA-256 hash.`);
    if (pr !== null && pr !== Math.trunc(pr)) throw new InvalidSegment(`${pr} is not the number of a pull request.`);
  }

  #addValues({ kind, source, actor, repo, pr, asOf, receivedAt }: ArchivedEvent, ordinal: number): void {
    const values = this.#values;
    const add = (space: 'kind' | 'source' | 'actor' | 'repo', place: number) => {
      values.add(valueKey(space, place), ordinal);
      this.#codes[space].push(place + 1);
    };
    add('kind', this.#kinds.placeOf(kind));
    add('source', this.#sources.placeOf(source));
    if (actor === null) this.#codes.actor.push(0);
    else {
      add('actor', this.#actors.placeOf(actor));
      values.add(flagKeys.actor, ordinal);
    }
    if (repo === null) this.#codes.repo.push(0);
    else {
      add('repo', this.#repositories.placeOf(repo));
      values.add(flagKeys.repo, ordinal);
    }
    this.#codes.pr.push(pr === null ? 0 : codeOfNumber(pr));
    if (pr !== null) {
      values.add(numberKey(pr), ordinal);
      values.add(flagKeys.pr, ordinal);
    }
    if (receivedAt - asOf > LATE_MICROS) values.add(flagKeys.late, ordinal);
  }

  #addText(section: 'summaries' | 'details', text: string): Promise<void> | undefined {
    const bytes = Buffer.from(text);
    if (bytes.length > MAX_TEXT_BYTES || !text.isWellFormed())
      throw new InvalidSegment('A text of an event is not valid.');
    const queue = this.#texts[section];
    queue.texts.push(bytes);
    queue.bytes += bytes.length;
    this.#textBytes += bytes.length;
    const isFull = queue.texts.length === textBlockLimits.events || queue.bytes >= textBlockLimits.bytes;
    return isFull ? this.#endTexts(section) : undefined;
  }

  async #endTexts(section: 'summaries' | 'details'): Promise<void> {
    const { texts, first } = this.#texts[section];
    this.#texts[section] = newQueue(this.events);
    if (texts.length > 0) this.#put(section, await pack(encodeTexts(texts)), first);
  }

  #put(section: SectionName, bytes: Uint8Array, key = 0): void {
    const blocks = this.#sections.get(section) ?? [];
    this.#sections.set(section, blocks);
    blocks.push({ bytes, key });
  }

  async finish(): Promise<Buffer> {
    const { events } = this;
    if (events === 0) throw new InvalidSegment('A segment contains at least one event.');
    await this.#endTexts('summaries');
    await this.#endTexts('details');
    await this.#putColumns(events);
    await setImmediate();
    this.#putIds(events);
    const longer = new LongerLists();
    this.#sections.set('terms', await this.#directoryOf(this.#terms, longer));
    this.#sections.set('values', await this.#directoryOf(this.#values, longer));
    this.#sections.set('lists', longer.blocks);
    return layOutSegment(this.#sections, {
      organization: this.#organization,
      events,
      first: { asOf: this.#times[0] ?? 0, id: this.#firstId },
      last: { asOf: this.#times.at(-1) ?? 0, id: this.#lastId },
      kinds: this.#kinds.names,
      sources: this.#sources.names,
    });
  }

  async #directoryOf(postings: SegmentPostings, longer: LongerLists): Promise<NewBlock[]> {
    await setImmediate();
    const directory = new DirectoryWriter(this.events, longer);
    let count = 0;
    for (const list of postings.lists()) {
      directory.add(list);
      count += 1;
      if (count % KEYS_PER_TURN === 0) await setImmediate();
    }
    return directory.finish();
  }

  async #putColumns(events: number): Promise<void> {
    const slices = (size: number) => Array.from({ length: Math.ceil(events / size) }, (_, place) => place * size);
    const proofNames = this.#proofs.names;
    for (const from of slices(eventsPerBlock.times)) {
      const to = from + eventsPerBlock.times;
      const times = this.#times.slice(from, to);
      this.#put('times', encodeTimes(times), times[0]);
      this.#put('received', await pack(encodeReceived(this.#received.slice(from, to), times)));
      const proofs = this.#proofCodes.slice(from, to).map((code) => proofNames[code - 1]);
      this.#put('proofs', await pack(encodeProofs(proofs)));
    }
    const { kind, source, actor, repo, pr } = this.#codes;
    for (const from of slices(eventsPerBlock.columns)) {
      const part = (codes: readonly number[]) => codes.slice(from, from + eventsPerBlock.columns);
      const codes = { kind: part(kind), source: part(source), actor: part(actor), repo: part(repo), pr: part(pr) };
      this.#put('columns', await pack(encodeColumns(codes)));
    }
    const leaves = this.#leaves.finish();
    for (const from of slices(eventsPerBlock.leaves))
      this.#put('leaves', leaves.slice(from * LEAF_BYTES, (from + eventsPerBlock.leaves) * LEAF_BYTES));
    this.#put('actors', Buffer.concat(this.#actors.names.map(uuidBytes)));
    this.#put('repositories', Buffer.concat(this.#repositories.names.map(uuidBytes)));
  }

  /** The IDs in the order of events, and an index of their ordinals in the order of IDs. */
  #putIds(events: number): void {
    const ids = Buffer.from(this.#ids.finish().buffer);
    const size = eventsPerBlock.ids * UUID_BYTES;
    for (let from = 0; from < ids.length; from += size) this.#put('ids', ids.subarray(from, from + size));
    const prefixes = Float64Array.from({ length: events }, (_, ordinal) => idPrefixAt(ids, ordinal));
    const compare = (one: number, other: number) =>
      (prefixes[one] ?? 0) - (prefixes[other] ?? 0) || compareIds(ids, one, other);
    const sorted = Uint32Array.from({ length: events }, (_, ordinal) => ordinal).sort(compare);
    if (sorted.some((ordinal, place) => place > 0 && compare(sorted[place - 1] ?? 0, ordinal) === 0))
      throw new InvalidSegment('A segment contains each event once.');
    for (let from = 0; from < events; from += eventsPerBlock.idIndex) {
      const block = new ByteWriter(eventsPerBlock.idIndex * 4);
      const part = sorted.subarray(from, from + eventsPerBlock.idIndex);
      for (const ordinal of part) {
        block.uint16(ordinal);
        block.uint16(idSuffixAt(ids, ordinal));
      }
      this.#put('idIndex', block.finish(), prefixes[part[0] ?? 0]);
    }
  }
}

const compareIds = (ids: Buffer, one: number, other: number): number =>
  ids.compare(ids, other * UUID_BYTES, (other + 1) * UUID_BYTES, one * UUID_BYTES, (one + 1) * UUID_BYTES);
