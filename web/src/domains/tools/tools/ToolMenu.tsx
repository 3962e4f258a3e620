import { Menu } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { RowMenu } from '#ui/RowMenu.tsx';
import type { ToolDecisionRequest } from './DecideToolDialog.tsx';

/** The decisions about a tool for users who may write policies. */
export const ToolMenu = ({
  tool,
  onAsk,
}: {
  tool: ToolDecisionRequest['tool'];
  onAsk: (request: ToolDecisionRequest) => void;
}) => (
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
