import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from '#ui/Link.tsx';
import { Notice } from '#ui/Notice.tsx';

/** Shown if no tool at the address is visible to the user. */
export const ToolNotFound = () => (
  <Notice
    title="404 Not Found"
    icon={<IconMapOff size={19} stroke={1.6} />}
    actions={
      <Button component={Link} href="/tools">
        Go to Tool Inventory
      </Button>
    }
  >
    This tool was not detected in your organization. Its repository may be disabled, or you may not have access to it.
  </Notice>
);
