import { Menu } from '@mantine/core';
import type { Tool } from '@sightline/contract/tools/tools.ts';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { RowMenu } from '#ui/RowMenu.tsx';
import type { DecisionRequest } from './DecideDialog.tsx';

/** What whoever writes policies may decide about a tool of the list. */
export const ToolMenu = ({ tool, onAsk }: { tool: Tool; onAsk: (asked: DecisionRequest) => void }) => (
  <RowMenu label={`Actions for ${tool.name}`}>
    <Menu.Item
      leftSection={<IconCircleCheck size={15} aria-hidden />}
      onClick={() => onAsk({ tool, decision: 'approved' })}
    >
      Approve…
    </Menu.Item>
    <Menu.Item leftSection={<IconCircleX size={15} aria-hidden />} onClick={() => onAsk({ tool, decision: 'denied' })}>
      Deny…
    </Menu.Item>
  </RowMenu>
);
