import { NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import {
  createAuditSample,
  MAX_KEPT_ROWS,
  type SampleMethod,
  suggestedSampleSize,
} from '@sightline/contract/compliance/portal-samples.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { docsHref } from '#lib/docs.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { useNavigate } from '#ui/Link.tsx';
import { methodLabels, methodTexts } from '../sampleLabels.ts';
import { portalPageHref } from './usePortal.ts';

interface KeepSampleProps {
  controlKey: { portalId: string; snapshotId: string; controlId: ControlId };
  population: number;
  /** The selected rows of a judgmental sample; undefined: the method selects them. */
  positions?: readonly number[];
  /** The custom seed of the sample on the page. */
  seed?: string | undefined;
  onClose: () => void;
}

/** Keeps a sample, whose method and items cannot be changed later, and opens it. */
export function KeepSample({ controlKey, population, positions, seed: given, onClose }: KeepSampleProps) {
  const { portalId, snapshotId, controlId } = controlKey;
  const [name, setName] = useState(`Sample of ${controlId}`);
  const [chosen, setChosen] = useState<SampleMethod>('random');
  const [size, setSize] = useState<number | string>(() => suggestedSampleSize(population).most);
  const [seed, setSeed] = useState(given ?? '');
  const [reason, setReason] = useState('');
  const method = positions ? 'judgmental' : chosen;
  const isDrawn = method === 'random' || method === 'systematic';
  const navigate = useNavigate();
  const keep = useChange(
    () =>
      call(createAuditSample, {
        params: { portalId },
        body: {
          name: name.trim(),
          snapshot: snapshotId,
          control: controlId,
          method,
          reason: reason.trim(),
          ...(positions && { positions: [...positions] }),
          ...(isDrawn && { size: Number(size) }),
          ...(isDrawn && seed.trim() !== '' && { seed: seed.trim() }),
        },
      }),
    ({ id }) => navigate(portalPageHref(portalId, 'samples', id)),
    { quiet: true },
  );
  const isComplete = name.trim() !== '' && (!isDrawn || Number(size) >= 1) && (!positions || reason.trim() !== '');
  return (
    <FormDialog
      title="Keep sample"
      submit="Keep sample"
      ready={isComplete}
      pending={keep.isPending}
      problem={keep.error ? errorMessageOf(keep.error, 'The sample was not kept. Try again.') : undefined}
      onClose={onClose}
      onSubmit={() => keep.mutate()}
    >
      <TextInput
        label="Name"
        maxLength={120}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {positions ? (
        <p className="dim">
          {positions.length} of {population} items, selected by you.
        </p>
      ) : (
        <Select
          label="Method"
          description={methodTexts[method]}
          allowDeselect={false}
          data={(['random', 'systematic', 'all'] as const).map((value) => ({
            value,
            label: methodLabels[value],
            disabled: value === 'all' && population > MAX_KEPT_ROWS,
          }))}
          value={method}
          onChange={(value) => setChosen((value ?? 'random') as SampleMethod)}
        />
      )}
      {isDrawn && <DrawFields population={population} size={size} seed={seed} onSize={setSize} onSeed={setSeed} />}
      <Textarea
        label={positions ? 'Reason' : 'Reason (optional)'}
        description="Why these items, or this number of items. The organization can read it."
        maxLength={2000}
        autosize
        minRows={2}
        maxRows={6}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </FormDialog>
  );
}

interface DrawProps {
  population: number;
  size: number | string;
  seed: string;
  onSize: (size: number | string) => void;
  onSeed: (seed: string) => void;
}

/** Number of items with its suggestion, and seed. */
const DrawFields = ({ population, size, seed, onSize, onSeed }: DrawProps) => (
  <>
    <NumberInput
      label="Items"
      description={
        <>
          {sizeText(suggestedSampleSize(population), population)}{' '}
          <a className="link" href={docsHref('auditor-portals', 'sample-sizes')} target="_blank" rel="noreferrer">
            Source of the suggestion
          </a>
        </>
      }
      min={1}
      max={Math.min(population, MAX_KEPT_ROWS)}
      allowDecimal={false}
      value={size}
      onChange={onSize}
    />
    <TextInput
      label="Seed"
      description="Empty: the root hash of the checkpoint, which was fixed after all items were recorded."
      maxLength={200}
      value={seed}
      onChange={({ currentTarget }) => onSeed(currentTarget.value)}
    />
  </>
);

const sizeText = ({ least, most }: { least: number; most: number }, population: number): string =>
  least === most
    ? `Suggested for ${population} items: ${most}.`
    : `Suggested for ${population} items: ${least} to ${most}, by risk.`;
