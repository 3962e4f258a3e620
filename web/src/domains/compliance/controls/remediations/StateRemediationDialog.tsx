import { Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import { changeRemediations } from '@sightline/contract/compliance/remediation-changes.ts';
import { createRemediationTickets } from '@sightline/contract/compliance/remediation-tickets.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { ticketUrl as ticketUrlSchema } from '@sightline/contract/core/ticket-url.ts';
import { MAX_TICKET_SUBJECTS, type TicketTarget } from '@sightline/contract/sources/trackers.ts';
import { useState } from 'react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { useMemberChoices } from '#lib/member-choices.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { useSession } from '#lib/session.ts';
import { ticketsRequestedText, useTicketTarget } from '#lib/ticket-target.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { TicketTargetFields } from '#ui/TicketTargetFields.tsx';
import { toast } from '#ui/toast.ts';
import type { RemediatedItem } from './remediation-action.ts';

interface StateRemediationDialogProps {
  control: ControlId;
  period: string;
  items: readonly [RemediatedItem, ...RemediatedItem[]];
  onClose: () => void;
  onChanged?: (() => void) | undefined;
}

/** The fields of the form; of several items, undefined fields keep their values. */
interface RemediationDraft {
  ownerId?: string | null;
  dueOn?: string;
  ticketUrl?: string;
  notes?: string;
  isRemediated?: boolean;
}

/** Sets owner, due date, ticket, notes and state of one failed item, or the filled fields of several. */
export function StateRemediationDialog({ control, period, items, onClose, onChanged }: StateRemediationDialogProps) {
  const [first, ...others] = items;
  const isSingle = others.length === 0;
  const known = isSingle ? first.remediation : null;
  const [draft, setDraft] = useState<RemediationDraft>({});
  const set = (patch: RemediationDraft) => setDraft({ ...draft, ...patch });
  const session = useSession();
  const members = useMemberChoices([
    ...(known?.owner ? [known.owner] : []),
    ...(session ? [{ id: session.accountId, name: session.email }] : []),
  ]);
  const ticketUrl = draft.ticketUrl ?? known?.ticketUrl ?? '';
  const isTicketValid = ticketUrl === '' || ticketUrlSchema.safeParse(ticketUrl).success;
  const tickets = useTicketTarget(items.length <= MAX_TICKET_SUBJECTS);
  const isChanged = Object.keys(changeOf(draft)).length > 0;
  const save = useChange(
    () =>
      saveRemediations(
        { control, period, subjects: items.map(({ subject }) => subject) },
        changeOf(draft),
        tickets.target,
      ),
    (message) => {
      toast.success(message);
      onChanged?.();
      onClose();
    },
    { quiet: true },
  );
  return (
    <FormDialog
      title={isSingle ? `Remediation of ${first.name}` : `Remediation of ${items.length} items`}
      submit="Save"
      width={480}
      ready={(isChanged || tickets.target !== null) && isTicketValid}
      pending={save.isPending}
      problem={save.error ? errorMessageOf(save.error, 'Not saved. Your input is unchanged.') : undefined}
      onClose={onClose}
      onSubmit={() => save.mutate()}
    >
      <p className="dim">
        {isSingle
          ? 'The item stays failed in its period.'
          : 'Empty fields keep their values. The items stay failed in their period.'}
      </p>
      <Select
        label="Owner"
        placeholder={isSingle ? 'No owner' : 'Unchanged'}
        data={[...members.choices]}
        value={draft.ownerId === undefined ? (known?.owner?.id ?? null) : draft.ownerId}
        onChange={(ownerId) => set({ ownerId })}
        searchable
        clearable
        onSearchChange={members.onSearchChange}
        nothingFoundMessage="No active member matches"
      />
      <TextInput
        label="Due date"
        type="date"
        value={draft.dueOn ?? known?.dueOn ?? ''}
        onChange={({ currentTarget }) => set({ dueOn: currentTarget.value })}
      />
      <TextInput
        label="Ticket"
        type="url"
        placeholder="https://"
        maxLength={2000}
        value={ticketUrl}
        error={!isTicketValid && 'Enter a URL that begins with http:// or https://'}
        onChange={({ currentTarget }) => set({ ticketUrl: currentTarget.value.trim() })}
      />
      {draft.ticketUrl === undefined && <TicketTargetFields {...tickets} count={items.length} />}
      <Textarea
        label="Notes"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4000}
        value={draft.notes ?? known?.notes ?? ''}
        onChange={({ currentTarget }) => set({ notes: currentTarget.value })}
      />
      <Checkbox
        label="The failure is remediated"
        checked={draft.isRemediated ?? (known !== null && known.state !== 'open' && known.remediatedAt !== null)}
        onChange={({ currentTarget }) => set({ isRemediated: currentTarget.checked })}
      />
    </FormDialog>
  );
}

/** Saves the edited fields and requests tickets. Returns the message for the user. */
async function saveRemediations(
  about: { control: ControlId; period: string; subjects: string[] },
  change: ReturnType<typeof changeOf>,
  target: TicketTarget | null,
): Promise<string> {
  const changed =
    Object.keys(change).length === 0 ? 0 : (await call(changeRemediations, { body: { ...about, ...change } })).changed;
  const saved = changed === 1 ? 'Remediation saved' : `${changed} remediations saved`;
  if (!target) return saved;
  const created = ticketsRequestedText(await call(createRemediationTickets, { body: { ...about, target } }));
  return changed === 0 ? created : `${saved}. ${created}`;
}

/** The fields that were edited. */
const changeOf = ({ ownerId, dueOn, ticketUrl, notes, isRemediated }: RemediationDraft) => ({
  ...(ownerId !== undefined && { ownerId }),
  ...(dueOn !== undefined && { dueOn: dueOn === '' ? null : dueOn }),
  ...(ticketUrl !== undefined && { ticketUrl: ticketUrl === '' ? null : ticketUrl }),
  ...(notes !== undefined && { notes }),
  ...(isRemediated !== undefined && { isRemediated }),
});
