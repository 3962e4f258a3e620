import { MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import type { CallInput } from '@sightline/contract/core/endpoint.ts';
import { ticketUrl as ticketUrlSchema } from '@sightline/contract/core/ticket-url.ts';
import { listMembers } from '@sightline/contract/organization/members.ts';
import { editFindings, type FindingEdit, undoFindingEdit } from '@sightline/contract/vulnerabilities/finding-edits.ts';
import { listFindingFilter } from '@sightline/contract/vulnerabilities/findings.ts';
import { MAX_FINDING_LABELS } from '@sightline/contract/vulnerabilities/triage-fields.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery, keyOf } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { fetchAllPages } from '#lib/repository-choices.ts';
import { toast } from '#ui/toast.ts';
import { DecisionDialog } from './DecisionDialog.tsx';
import { type TriageRequest, targetsText } from './targets.ts';
import { useFindingTickets } from './useFindingTickets.tsx';

interface EditDialogProps {
  request: Extract<TriageRequest, { kind: 'edit' }>;
  onClose: () => void;
  onDone?: (() => void) | undefined;
}

/** Changes assignee, labels and ticket of findings, and offers Undo. Fields that are not changed keep their values. */
export function EditDialog({ request, onClose, onDone }: EditDialogProps) {
  const { targets, everything } = request;
  const [first] = targets;
  const only = everything === undefined && targets.length === 1 ? first : undefined;
  const name = everything ? `${everything.total} vulnerabilities` : targetsText(targets);
  const [assignee, setAssignee] = useState(only ? (only.assignee?.id ?? unassigned) : unchanged);
  const [labels, setLabels] = useState<string[]>([...(only?.labels ?? [])]);
  const [removed, setRemoved] = useState<string[]>([]);
  const [ticket, setTicket] = useState(only?.ticketUrl ?? '');
  const members = useMemberChoices(only?.assignee ?? undefined);
  const knownLabels = useQuery({
    ...endpointQuery(listFindingFilter, { params: { name: 'labels' }, query: {} }),
    meta: { quiet: true },
  }).data?.map(({ value }) => value);
  const edit = editOf();
  const isTicketValid = ticket === '' || ticketUrlSchema.safeParse(ticket).success;
  const tickets = useFindingTickets(request, edit, () => {
    onDone?.();
    onClose();
  });
  const save = useFindingEdit(name, tickets.request);

  function editOf(): FindingEdit {
    const before = only?.labels ?? [];
    const added = labels.filter((label) => !before.includes(label));
    const taken = only ? before.filter((label) => !labels.includes(label)) : removed;
    const isAssigneeChanged = only ? assignee !== (only.assignee?.id ?? unassigned) : assignee !== unchanged;
    return {
      ...(isAssigneeChanged && { assigneeId: assignee === unassigned ? null : assignee }),
      ...((only ? ticket !== (only.ticketUrl ?? '') : ticket !== '') && { ticketUrl: ticket === '' ? null : ticket }),
      ...(added.length > 0 && { addLabels: added }),
      ...(taken.length > 0 && { removeLabels: taken }),
    };
  }

  return (
    <DecisionDialog
      title={`Assign and label ${name}`}
      confirm="Save"
      incomplete={!tickets.hasWork || !isTicketValid}
      pending={save.isPending || tickets.isPending}
      error={save.error ?? tickets.error}
      onClose={onClose}
      onConfirm={() => {
        if (tickets.isAlone) return tickets.request();
        save.mutate({
          ...(everything && { query: everything.filter }),
          body: { findings: everything ? { total: everything.total } : { ids: targets.map(({ id }) => id) }, edit },
        });
      }}
    >
      <Select
        label="Assignee"
        searchable
        allowDeselect={false}
        data-autofocus
        data={[
          ...(only ? [] : [{ value: unchanged, label: 'No change' }]),
          { value: unassigned, label: 'Unassigned' },
          ...members,
        ]}
        value={assignee}
        onChange={(value) => setAssignee(value ?? unchanged)}
      />
      <TagsInput
        label={only ? 'Labels' : 'Add labels'}
        description="Press Enter after each label."
        data={knownLabels ?? []}
        maxTags={MAX_FINDING_LABELS}
        splitChars={[',']}
        acceptValueOnBlur
        value={labels}
        onChange={setLabels}
      />
      {!only && (
        <MultiSelect
          label="Remove labels"
          data={[...new Set([...(knownLabels ?? []), ...targets.flatMap((target) => target.labels)])].toSorted()}
          value={removed}
          onChange={setRemoved}
        />
      )}
      <TextInput
        label="Ticket"
        type="url"
        placeholder="https://"
        error={isTicketValid ? undefined : 'Enter an http or https URL.'}
        value={ticket}
        onChange={({ currentTarget }) => setTicket(currentTarget.value.trim())}
      />
      {tickets.fields}
    </DecisionDialog>
  );
}

const unchanged = 'unchanged';
const unassigned = 'unassigned';

/** Saves an edit, and offers Undo. `name` names the findings. */
function useFindingEdit(name: string, onSaved: () => void) {
  const undo = useChange(
    (editId: string) => call(undoFindingEdit, { params: { editId } }),
    ({ changed, unchanged: kept }) =>
      toast.success(
        kept === 0
          ? 'The change was undone.'
          : `The change was undone for ${changed} vulnerabilities. ${kept} were changed again since.`,
      ),
    { failed: 'The change was not undone.' },
  );
  return useChange(
    (input: CallInput<typeof editFindings>) => call(editFindings, input),
    ({ editId, changed }) => {
      if (editId === null) toast.info(`${name} already had these values.`);
      else
        toast.offer(
          changed === 1 ? 'The vulnerability was changed.' : `${changed} vulnerabilities were changed.`,
          'Undo',
          () => undo.mutate(editId),
        );
      onSaved();
    },
    { quiet: true },
  );
}

/** The active members, with the current assignee, who may have left. */
function useMemberChoices(current: { id: string; name: string } | undefined) {
  const members =
    useQuery({
      queryKey: [...keyOf(listMembers), 'assignees'],
      queryFn: () =>
        fetchAllPages((page) =>
          call(listMembers, { query: { page, perPage: 100, sort: 'name-asc', status: ['active', 'accepted'] } }),
        ),
      meta: { quiet: true },
    }).data ?? [];
  const choices = members.flatMap(({ user_id, name }) => (user_id === null ? [] : [{ value: user_id, label: name }]));
  const isListed = current === undefined || choices.some(({ value }) => value === current.id);
  return isListed ? choices : [...choices, { value: current.id, label: current.name }];
}
