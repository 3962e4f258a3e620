import { Button, FileInput } from '@mantine/core';
import { getPortalSnapshot, type PortalVisit } from '@sightline/contract/compliance/auditor-portals.ts';
import { returnResult } from '@sightline/contract/compliance/portal-results.ts';
import { type AuditorSample, getAuditSample } from '@sightline/contract/compliance/portal-samples.ts';
import {
  type AuditorResult,
  auditorResultOf,
  type ConcludedSample,
} from '@sightline/evidence/auditors/auditor-result.ts';
import { privatePemOf, secretKeyOfPem, signResult } from '@sightline/evidence/auditors/signed-result.ts';
import { sightlineNamespace, uuidOf } from '@sightline/evidence/bundle/uuid.ts';
import { toHex } from '@sightline/evidence/ledger/bytes.ts';
import { canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { saveFile } from '#lib/download.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { upload } from '#lib/upload.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { conclusionBadges } from '../sampleLabels.ts';
import s from './Portal.module.css';

interface SignProps {
  portal: PortalVisit;
  /** Samples with a conclusion. */
  samples: readonly AuditorSample[];
  onClose: () => void;
}

type SecretKey = Uint8Array<ArrayBuffer>;

/** Signs the conclusions with a key that never leaves the browser, saves the signed result, and returns it. */
export function SignResult({ portal, samples, onClose }: SignProps) {
  const [key, setKey] = useState<SecretKey>();
  const [problem, setProblem] = useState<string>();
  const [signed, setSigned] = useState<File | null>(null);
  const save = useChange(
    async () =>
      saveFile(new Blob([await resultText(portal, samples)], { type: 'application/json' }), 'result.oscal.json'),
    () => undefined,
  );
  const sign = useChange(
    async (given: SecretKey | File) => {
      const file =
        given instanceof File
          ? given
          : new Blob([JSON.stringify(signResult(await resultText(portal, samples), given))], {
              type: 'application/json',
            });
      const options = { signal: new AbortController().signal, onSent: () => undefined, isStored: true };
      const kept = await upload(returnResult, { params: { portalId: portal.id } }, file, options);
      if (!(given instanceof File)) saveFile(file, 'auditor-result.json');
      return kept;
    },
    onClose,
    { quiet: true },
  );
  const choose = async (file: File | null) => {
    setProblem(undefined);
    setKey(undefined);
    if (!file) return;
    try {
      setKey(new Uint8Array(secretKeyOfPem(await file.text())));
    } catch {
      setProblem('The file is not an Ed25519 private key as PEM.');
    }
  };
  const create = () => {
    const created = crypto.getRandomValues(new Uint8Array(32));
    saveFile(new Blob([privatePemOf(created)]), 'auditor-key.pem');
    setProblem(undefined);
    setKey(created);
  };
  return (
    <FormDialog
      title="Sign result"
      submit="Sign and return"
      ready={key !== undefined || signed !== null}
      pending={sign.isPending}
      problem={
        problem ?? (sign.error ? errorMessageOf(sign.error, 'The result was not returned. Try again.') : undefined)
      }
      onClose={onClose}
      onSubmit={() => {
        const given = signed ?? key;
        if (given) sign.mutate(given);
      }}
    >
      <p>
        The result contains these conclusions with your notes and the hash of each bundle. The organization can read it
        after you return it. It cannot be changed.
      </p>
      <ul className={s.value}>
        {samples.map(({ id, name, control, conclusion }) => (
          <li key={id}>
            {control} {name}: {conclusion === null ? '' : conclusionBadges[conclusion][1]}
          </li>
        ))}
      </ul>
      <FileInput
        label="Your private key"
        description="An Ed25519 key as PEM. It is used in this browser only and is not sent."
        placeholder="Choose a file"
        accept=".pem,.key"
        clearable
        onChange={(file) => void choose(file)}
      />
      <Button variant="default" onClick={create}>
        Create a key and save it
      </Button>
      <Button variant="default" loading={save.isPending} onClick={() => save.mutate()}>
        Save unsigned result
      </Button>
      <FileInput
        label="A result signed elsewhere"
        description="For example with sightline result sign, on the machine that has your key."
        placeholder="Choose a file"
        accept=".json,application/json"
        clearable
        value={signed}
        onChange={setSigned}
      />
      {key && (
        <p role="status" className="dim">
          The key is ready. Keep it secret, and tell the organization its ID through another channel.
        </p>
      )}
    </FormDialog>
  );
}

/** The text that the auditor signs. */
const resultText = async (portal: PortalVisit, samples: readonly AuditorSample[]): Promise<string> =>
  canonicalJson(auditorResultOf(await loadResult(portal, samples)));

/** Reads the samples and bundles of the portal, so that the auditor signs what the pages show. */
async function loadResult(portal: PortalVisit, samples: readonly AuditorSample[]): Promise<AuditorResult> {
  const portalId = portal.id;
  const wanted = new Set(samples.map(({ snapshot }) => snapshot.id));
  const snapshots = await Promise.all(
    [...wanted].map(async (snapshotId) => {
      const { id, name, period, bundle } = await call(getPortalSnapshot, { params: { portalId, snapshotId } });
      return { id, name, period, bundle };
    }),
  );
  const concluded: ConcludedSample[] = [];
  for (const { id: sampleId } of samples) concluded.push(await loadSample(portalId, sampleId));
  return {
    id: uuidOf(sightlineNamespace, toHex(crypto.getRandomValues(new Uint8Array(16)))),
    title: portal.name,
    auditor: portal.auditor,
    organization: portal.organization,
    madeAt: new Date().toISOString(),
    snapshots,
    samples: concluded,
  };
}

async function loadSample(portalId: string, sampleId: string): Promise<ConcludedSample> {
  const sample = await call(getAuditSample, { params: { portalId, sampleId } });
  const { id, name, control, snapshot, method, seed, population, size, reason, workpaper } = sample;
  const rows = sample.rows.flatMap(({ row, workpaper: paper }) =>
    paper === null
      ? []
      : [
          {
            position: row.position,
            subject: row.subject,
            conclusion: paper.conclusion,
            note: paper.note,
            writtenAt: paper.writtenAt,
          },
        ],
  );
  const note = workpaper?.note ?? '';
  const conclusion = workpaper?.conclusion ?? 'not_tested';
  return { id, name, control, snapshot: snapshot.id, method, seed, population, size, reason, conclusion, note, rows };
}
