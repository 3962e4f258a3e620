import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import {
  secretKeyOfPem,
  signResult,
  type VerifiedResult,
  verifyResult,
} from '@sightline/evidence/auditors/signed-result.ts';
import { Invalid } from '#core/errors.ts';
import { parseJson } from '#core/json.ts';
import { command } from './command.ts';
import { bytesOf } from './input-file.ts';

export const signResultCommand = command({
  name: 'result sign',
  description: 'Signs the result of an auditor with a private key, offline, to be returned in the auditor portal.',
  valueName: ['RESULT'],
  options: {
    'private-key': {
      valueName: 'FILE',
      required: true,
      description: 'An Ed25519 private key as PEM: openssl genpkey -algorithm ed25519 -out auditor-key.pem',
    },
    output: { valueName: 'FILE', required: true, description: 'The signed result. Must not exist.' },
  },
  run: async ({ words: [path = ''], options }) => {
    const text = await textOf('RESULT', path);
    const secretKey = await readAs('--private-key', options['private-key'], secretKeyOfPem);
    const signed = signResult(text, secretKey);
    // Not a file that only a verifier would reject.
    const verified = parsedAs('RESULT', () => verifyResult(signed));
    await writeFile(options.output, JSON.stringify(signed), { flag: 'wx' }).catch((error: Error) => {
      throw Invalid('--output', `cannot be written: ${error.message}`);
    });
    return {
      json: { result: summaryOf(verified) },
      lines: [
        ...linesOf(verified),
        '',
        `Signed: ${options.output}. Give the organization the ID of your key through another channel.`,
      ],
    };
  },
});

export const verifyResultCommand = command({
  name: 'result verify',
  description: 'Verifies the signed result of an auditor offline, and that it is about given bundles.',
  valueName: ['RESULT'],
  options: {
    'key-id': {
      valueName: 'HEX',
      required: true,
      description: 'The ID of the key of the auditor, from another source than the result.',
    },
    bundle: { valueName: 'FILE', description: 'Bundles that the result must be about. Several: separated by commas.' },
  },
  run: async ({ words: [path = ''], options }) => {
    const verified = await readAs('RESULT', path, (text) => verifyResult(parseJson(text)));
    const files = options.bundle === undefined ? [] : options.bundle.split(',');
    const hashes = await Promise.all(files.map(async (file) => ({ file, sha256: await sha256Of(file) })));
    const problems = [
      ...(verified.keyId === options['key-id'].toLowerCase() ? [] : ['It is signed by another key.']),
      ...hashes
        .filter(({ sha256 }) => !verified.bundles.includes(sha256))
        .map(({ file }) => `It is not about ${file}.`),
    ];
    return {
      json: { result: { ...summaryOf(verified), valid: problems.length === 0, problems } },
      lines: [
        ...linesOf(verified),
        '',
        ...(problems.length > 0
          ? ['NOT VALID:', ...problems]
          : [
              `VALID: signed by the key, ${hashes.length === 0 ? 'no bundle was compared' : `about ${hashes.length} given bundles`}. Conclusions are the judgment of the auditor; verify the bundles separately.`,
            ]),
      ],
      failed: problems.length > 0,
    };
  },
});

async function readAs<Value>(what: string, path: string, read: (text: string) => Value): Promise<Value> {
  const text = await textOf(what, path);
  return parsedAs(what, () => read(text));
}

function parsedAs<Value>(what: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw Invalid(what, `is invalid: ${(error as Error).message}`);
  }
}

const textOf = async (what: string, path: string): Promise<string> =>
  new TextDecoder().decode(await bytesOf(what, path));

const sha256Of = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await bytesOf('--bundle', path))
    .digest('hex');

const summaryOf = ({ title, keyId, findings, bundles }: VerifiedResult) => ({ title, keyId, findings, bundles });

const linesOf = ({ title, keyId, findings, bundles }: VerifiedResult): string[] => [
  printable(title),
  `Key ID:  ${keyId}`,
  ...bundles.map((sha256) => `Bundle:  SHA-256 ${sha256}`),
  ...findings.map(({ title: name, conclusion }) => `  ${printable(name)}: ${printable(conclusion)}`),
];

/** Replaces control characters: a title in a result must not move the cursor. */
const printable = (text: string): string => text.replace(/\p{C}/gu, '\uFFFD');
