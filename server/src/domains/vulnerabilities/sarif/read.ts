import type { Readable } from 'node:stream';
import { Refusal } from '#core/errors.ts';
import { JsonProblem } from './json.ts';
import { createJsonReader } from './json-reader.ts';
import { createSarifLogReader, type RunHead, type SarifLog } from './log.ts';
import { describeForeignJson, formatOfFirstBytes } from './other-formats.ts';
import { type SpooledFile, spoolUpload } from './spool.ts';

export interface SarifFile extends SarifLog {
  /** Yields the raw results of a run, in order. */
  resultsOf: (run: RunHead) => AsyncGenerator<unknown>;
  /** The entire file, compressed with gzip. Each piece is valid until the next one is requested. */
  packed: () => AsyncIterable<Buffer>;
  close: () => Promise<void>;
}

/**
 * Receives a file and validates all of it before anything is stored. Refuses an invalid file with location and reason.
 * The results are read again from the spooled file, since they may reference objects that follow them.
 */
export async function receiveSarif(folder: string, source: Readable): Promise<SarifFile> {
  const { log, enter, take } = createSarifLogReader((at) => reader.positionOf(at));
  const reader = createJsonReader({ enter });
  let head: Buffer | undefined;
  let file: SpooledFile | undefined;
  try {
    file = await spoolUpload(folder, source, (chunk) => {
      head ??= Buffer.from(chunk.subarray(0, 100));
      for (const item of reader.write(chunk)) take(item);
    });
    for (const item of reader.end()) take(item);
    refuseOthers(log);
  } catch (error) {
    await file?.close();
    throw error instanceof JsonProblem ? refusalOf(error, head) : error;
  }
  const { read, readPacked, close } = file;
  return {
    ...log,
    close,
    packed: readPacked,
    async *resultsOf({ resultsAt }) {
      if (resultsAt === undefined) return;
      const results = createJsonReader({ enter: (path) => path.length === 0, part: true });
      for await (const chunk of read(resultsAt)) {
        for (const { value } of results.write(chunk)) yield value;
        if (results.isDone()) return;
      }
    },
  };
}

function refuseOthers(log: SarifLog): void {
  if (!log.hasRuns && !log.problems.some(({ place }) => place === 'runs')) {
    const message = `is not SARIF: ${describeForeignJson(log)}`;
    throw refuse([{ field: 'runs', message }], `The file ${message}. ${REQUIREMENT}`);
  }
  // Some scanners report the version only in the URL of the schema.
  const version = log.version ?? /sarif(?:-schema)?-(\d+(?:\.\d+)+)/i.exec(log.schema ?? '')?.[1];
  if (version === undefined) {
    throw refuse([{ field: 'version', message: 'is missing' }], `The file has no SARIF version. ${REQUIREMENT}`);
  }
  if (!version.startsWith('2.1.0')) {
    const message = `is ${JSON.stringify(version)}`;
    throw refuse([{ field: 'version', message }], `The file is SARIF ${version}. ${REQUIREMENT}`);
  }
  const details = [...log.problems, ...log.runs.flatMap(problemsOf)].slice(0, 20);
  const [first] = details;
  if (!first) return;
  throw refuse(
    details.map(({ place, reason }) => ({ field: place, message: reason })),
    `${first.place} ${first.reason}. Nothing was imported.`,
  );
}

const problemsOf = ({ driver }: RunHead, index: number) =>
  driver.name === ''
    ? [{ place: `runs[${index}].tool.driver.name`, reason: 'is missing: the scanner must report its name' }]
    : [];

const REQUIREMENT = 'SARIF 2.1.0 is needed; most scanners write it with an option such as --format sarif.';

const refuse = (details: { field: string; message: string }[], message: string) =>
  new Refusal('validation_failed', message, { details });

function refusalOf({ reason, place, line, column }: JsonProblem, head: Buffer | undefined): Refusal {
  const other = head && formatOfFirstBytes(head);
  if (other !== undefined)
    return refuse([{ field: 'file', message: `is ${other}` }], `The file is ${other}. ${REQUIREMENT}`);
  const where = `line ${line}, column ${column}`;
  const subject = place === '' ? 'The file' : place;
  const details = [{ field: place === '' ? 'file' : place, message: `${reason}, at ${where}` }];
  return refuse(details, `${subject} ${reason}, at ${where}. Nothing was imported.`);
}
