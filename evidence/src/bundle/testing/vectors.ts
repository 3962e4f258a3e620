import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import fc from 'fast-check';
import { controlIds } from '../../controls/catalog.ts';
import { arbitraryPopulations, type Population } from '../../controls/testing/populations.ts';
import { type Bytes, concat, fromBase64url, textOf, toBase64url, utf8 } from '../../ledger/bytes.ts';
import { timestampedText } from '../../ledger/checkpoint.ts';
import { type Cosigner, cosign, cosignerOf, withSignatures } from '../../ledger/cosignature.ts';
import { signatureLine, splitNote, verifierText } from '../../ledger/note.ts';
import { noteAlgorithms, uint64 } from '../../ledger/note-algorithms.ts';
import { unsignedTimestampOf } from '../../ledger/testing/timestamp.ts';
import { disclosureKeyFile, parseDisclosureKey } from '../disclosure-key.ts';
import { type EvaluatedRows, evaluateRows } from '../evaluated-rows.ts';
import type { PlacedDisclosure } from '../scope.ts';
import { type Attack, attacks, signWithOtherKey } from './attacks.ts';
import {
  appendChanges,
  buildTestBundle,
  bytesOf,
  createTestLedger,
  disclosureKeyOf,
  type TestBundle,
  withoutPerson,
} from './scene.ts';

/** A bundle with the expected result: one table for all verifiers. */
export interface BundleVector {
  readonly name: string;
  readonly bundle: Bytes;
  readonly previous?: Bytes;
  /** The key of a witness. */
  readonly witness?: string;
  /** The file with which the organization opens what the bundle redacts. */
  readonly disclosureKey?: Bytes;
  /** The number of the step that rejects it; null: it is valid. */
  readonly step: number | null;
}

/** Builds all vectors one after the other, or those of some attacks. They contain no random value. */
export async function* bundleVectors(tried: readonly Attack[] = attacks): AsyncGenerator<BundleVector> {
  const log = createTestLedger();
  const made = await buildTestBundle(log, appendChanges(log, 24));
  yield* otherVectors(made);
  for (const { name, cook, step } of tried) {
    const bundle = await cook(made);
    yield { name: `with the key: ${name}`, bundle, step };
    yield { name: `without the key: ${name}`, bundle: signWithOtherKey(bundle), step: 1 };
  }
}

/** Builds those that are no attack. */
export async function* otherVectors(made: TestBundle): AsyncGenerator<BundleVector> {
  yield { name: 'a valid bundle', bundle: made.bundle, step: null };
  yield* validVectors(made);
  yield* witnessVectors(made);
  yield* continuedVectors();
  yield* disclosureKeyVectors();
}

async function* validVectors({ contents }: TestBundle): AsyncGenerator<BundleVector> {
  const log = createTestLedger();
  const rows = appendChanges(log, 24);
  const built = async (options: Parameters<typeof buildTestBundle>[2]) =>
    (await buildTestBundle(log, rows, options)).bundle;
  const valid = (name: string, bundle: Bytes): BundleVector => ({ name, bundle, step: null });
  yield valid('a bundle with all controls', await built({ controls: controlIds }));
  for (const redaction of ['names', 'people', 'all'] as const)
    yield valid(`a bundle with the redaction ${redaction}`, await built({ redaction }));
  yield valid('a bundle without a report', await built({ drawPdf: () => Promise.resolve(undefined) }));
  yield valid('a bundle whose name has to be escaped', await built({ name: 'Café\t"quoted" 🧭' }));
  yield valid('a bundle after a person was erased', await bytesOf(withoutPerson(contents, 'per_reviewer')));
  const stamp = unsignedTimestampOf(utf8(timestampedText(contents.checkpoint)));
  yield valid('a bundle with a timestamp of an unknown authority', await bytesOf({ ...contents, stamp }));
}

async function* witnessVectors({ contents }: TestBundle): AsyncGenerator<BundleVector> {
  const other = (await buildTestBundle(createTestLedger(), [])).contents.checkpoint;
  for (const algorithm of ['ed25519-cosignature', 'ml-dsa-44-cosignature'] as const) {
    const cosigner = cosignerOf('witness.example/one', algorithm, new Uint8Array(32).fill(5));
    const cosigned = (checkpoint: string) =>
      bytesOf({
        ...contents,
        checkpoint: withSignatures(contents.checkpoint, [cosignReproducibly(checkpoint, cosigner)]),
      });
    const witness = verifierText(cosigner.verifier);
    const good = await cosigned(contents.checkpoint);
    yield { name: `a cosignature: ${algorithm}`, bundle: good, witness, step: null };
    yield { name: `a cosignature of an unknown witness: ${algorithm}`, bundle: good, step: null };
    yield {
      name: `a cosignature of another checkpoint: ${algorithm}`,
      bundle: await cosigned(other),
      witness,
      step: 3,
    };
  }
}

/** Signs without the random bytes that ML-DSA-44 adds to a signature by default. Ed25519 adds none. */
function cosignReproducibly(note: string, { verifier, secretKey }: Cosigner): string {
  const at = 1_790_000_000;
  const { name, id, algorithm } = verifier;
  if (algorithm !== 'ml-dsa-44-cosignature') return cosign(note, { verifier, secretKey }, at);
  const message = noteAlgorithms[algorithm].messageOf(splitNote(note).text, name, at);
  const signature = ml_dsa44.sign(message, ml_dsa44.keygen(secretKey).secretKey, { extraEntropy: false });
  return signatureLine(name, concat(id, uint64(at), new Uint8Array(signature)));
}

async function* continuedVectors(): AsyncGenerator<BundleVector> {
  const log = createTestLedger();
  const rows = appendChanges(log, 20);
  const first = await buildTestBundle(log, rows);
  const earlier = [first.contents.ledger.size];
  const next = await buildTestBundle(log, [...rows, ...appendChanges(log, 10, 20)], { earlier });
  const rewritten = createTestLedger();
  const forged = await buildTestBundle(rewritten, appendChanges(rewritten, 40));
  yield { name: 'it continues the earlier bundle', bundle: next.bundle, previous: first.bundle, step: null };
  yield { name: 'the earlier bundle is later', bundle: first.bundle, previous: next.bundle, step: 9 };
  yield { name: 'the ledger was rewritten', bundle: forged.bundle, previous: first.bundle, step: 9 };
}

/** Redacted bundles with disclosure keys, the first ones with the fewest redactions. */
export async function* disclosureKeyVectors(): AsyncGenerator<BundleVector> {
  const log = createTestLedger();
  const rows = appendChanges(log, 12);
  const other = disclosureKeyOf(log, (await buildTestBundle(log, rows)).contents);
  for (const redaction of ['names', 'people', 'all'] as const) {
    const { bundle, contents } = await buildTestBundle(log, rows, { redaction });
    const key = disclosureKeyOf(log, contents);
    const { disclosures, ...parsed } = parseDisclosureKey(utf8(key));
    const contentOf = ({ disclosure }: PlacedDisclosure) => textOf(fromBase64url(disclosure));
    const changed = (change: (content: string) => string | undefined) =>
      disclosureKeyFile({
        ...parsed,
        disclosures: disclosures.flatMap((one) => {
          const content = contentOf(one);
          const made = change(content);
          return made === undefined ? [] : made === content ? [one] : [{ ...one, disclosure: toBase64url(utf8(made)) }];
        }),
      });
    const vector = (name: string, file: string, step: number | null): BundleVector => ({
      name: `redaction ${redaction}: ${name}`,
      bundle,
      disclosureKey: utf8(file),
      step,
    });
    yield vector('its disclosure key opens it', key, null);
    yield vector(
      'the disclosure key after a person was erased',
      changed((content) => (content.includes('per_reviewer') ? undefined : content)),
      null,
    );
    yield vector('the disclosure key of another bundle', other, 5);
    yield vector(
      'the disclosure key names another bundle',
      disclosureKeyFile({ ...parsed, disclosures, snapshot: parseDisclosureKey(utf8(other)).snapshot }),
      5,
    );
    yield vector(
      'the disclosure key has another name of a person',
      changed((content) => content.replace('Ada Author', 'Rita Reviewer')),
      5,
    );
    yield vector(
      'the disclosure key lacks a title',
      changed((content) => (content.includes('"Title 3"') ? undefined : content)),
      redaction === 'names' ? null : 5,
    );
    yield vector('the file is no disclosure key', '{}', 5);
    if (redaction !== 'all') continue;
    yield vector(
      'the disclosure key has swapped names of repositories',
      changed((content) => content.replace(/hidden"\]|gone"\]/, (name) => (name === 'gone"]' ? 'hidden"]' : 'gone"]'))),
      5,
    );
    yield vector(
      'the disclosure key lacks the name of a repository',
      changed((content) => (content.includes('"name repo_hidden"') ? undefined : content)),
      5,
    );
    yield vector(
      'the disclosure key has the opening of another repository',
      disclosureKeyFile({
        ...parsed,
        disclosures: disclosures.map((one) => {
          const hidden = disclosures.find((each) => contentOf(each).includes('"name repo_hidden"'));
          return hidden && contentOf(one).includes('"name repo_gone"')
            ? { ...one, disclosure: hidden.disclosure }
            : one;
        }),
      }),
      5,
    );
  }
}

/** Rows of a control with the lines of the evidence that follow from them. */
export interface EvaluationVector extends Population, Pick<EvaluatedRows, 'excluded'> {
  readonly evidence: EvaluatedRows['rows'];
}

/** Builds populations of every control, from a fixed seed. */
export const evaluationVectors = (): readonly EvaluationVector[] =>
  arbitraryPopulations().flatMap((one) =>
    fc.sample(one, { seed: 7, numRuns: 16 }).map(({ control, rows, settings }) => {
      const { rows: evidence, excluded } = evaluateRows(control, rows, settings, []);
      return { control, settings, rows, evidence, excluded };
    }),
  );
