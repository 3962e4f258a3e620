import { Button } from '@mantine/core';
import { listWaivers } from '@sightline/contract/vulnerabilities/waivers.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { Count } from '#ui/Count.tsx';
import { Link } from '#ui/Link.tsx';

/** A link to the waivers with the number of pending requests. */
export function WaiversLink() {
  const pending = useQuery({ ...endpointQuery(listWaivers, { query: { perPage: 5 } }), meta: { quiet: true } }).data
    ?.total;
  return (
    <Button
      component={Link}
      href="/waivers"
      variant="default"
      {...(pending ? { rightSection: <Count>{pending}</Count>, 'aria-label': `Waivers, ${pending} pending` } : {})}
    >
      Waivers
    </Button>
  );
}
