import { createPrivateKey, createPublicKey, hash, sign } from 'node:crypto';
import { ReleaseError } from './error.ts';

interface Resource {
  name: string;
  sha256: string;
}

interface Build {
  /** The URL of the published source. */
  repository: string;
  /** The URI of the builder, such as a workflow of a continuous integration. */
  builder: string;
  commit: string;
  startedAt: Date;
  finishedAt: Date;
  /** Such as v24.21.0. */
  nodeVersion: string;
  subjects: Resource[];
  lockFiles: Resource[];
}

const payloadType = 'application/vnd.in-toto+json';

/** An in-toto statement with SLSA provenance (https://slsa.dev/spec/v1.0/provenance) of the files of a release. */
export function createProvenance(build: Build): object {
  const { repository, builder, commit, startedAt, finishedAt, nodeVersion, subjects, lockFiles } = build;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${repository}/blob/${commit}/docs/releases.md`,
        externalParameters: { repository, commit },
        internalParameters: { node: nodeVersion, platform: `${process.platform}-${process.arch}` },
        resolvedDependencies: [
          { uri: `git+${repository}@${commit}`, digest: { gitCommit: commit } },
          ...lockFiles.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
        ],
      },
      runDetails: {
        builder: { id: builder },
        metadata: { startedOn: startedAt.toISOString(), finishedOn: finishedAt.toISOString() },
      },
    },
  };
}

/**
 * A statement in a DSSE envelope (https://github.com/secure-systems-lab/dsse) with one Ed25519 signature. `pem`: the private key.
 * `keyid`: SHA-256 of the public key in DER, in hexadecimal.
 */
export function signStatement(statement: object, pem: Buffer): object {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new ReleaseError('The key that signs the provenance must be an Ed25519 key.');
  const payload = Buffer.from(JSON.stringify(statement));
  const signed = Buffer.concat([
    Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `),
    payload,
  ]);
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return {
    payload: payload.toString('base64'),
    payloadType,
    signatures: [{ keyid: hash('sha256', publicKey), sig: sign(null, signed, key).toString('base64') }],
  };
}
