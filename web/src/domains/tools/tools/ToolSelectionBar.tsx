import { Button } from '@mantine/core';
import { MAX_POLICY_TOOLS, type ToolDecision } from '@sightline/contract/compliance/policies.ts';
import type { Tool } from '@sightline/contract/tools/tools.ts';
import type { Selection } from '#lib/selection.ts';
import { SelectionBar } from '#ui/SelectionBar.tsx';
import { useToolDecision } from './decideAboutTool.ts';
import type { toolsFilterOf } from './toolsQuery.ts';

interface ToolSelectionBarProps {
  selection: Selection<Tool>;
  /** The filter of the list, for a decision about all matching tools. */
  filter: ReturnType<typeof toolsFilterOf>;
  total: number;
}

/** Approves or denies all versions of the selected tools, with Undo. */
export function ToolSelectionBar({ selection, filter, total }: ToolSelectionBarProps) {
  const deciding = useToolDecision({ onDone: selection.clear });
  const ids = [...selection.chosen.keys()];
  const count = selection.everything ? total : ids.length;
  const name = count === 1 ? '1 tool' : `${count} tools`;
  const decide = (decision: ToolDecision) =>
    deciding.mutate({ name, count, body: { decision, tools: selection.everything ? { filter, total } : { ids } } });
  return (
    <SelectionBar noun="tools" selection={selection} total={total} maxTotal={MAX_POLICY_TOOLS}>
      <Button loading={deciding.isPending} onClick={() => decide('approved')}>
        Approve {count}
      </Button>
      <Button variant="default" disabled={deciding.isPending} onClick={() => decide('denied')}>
        Deny {count}
      </Button>
    </SelectionBar>
  );
}
