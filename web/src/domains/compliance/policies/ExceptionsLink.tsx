import { Button } from '@mantine/core';
import { listWaivers } from '@sightline/contract/vulnerabilities/exceptions.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { Count } from '#ui/Count.tsx';
import { Link } from '#ui/Link.tsx';

/** Leads to the exceptions, and says how many wait for somebody to approve. */
export function ExceptionsLink() {
  const waiting = useQuery({ ...endpointQuery(listWaivers, { query: { perPage: 5 } }), meta: { quiet: true } }).data
    ?.total;
  return (
    <Button
      component={Link}
      href="/exceptions"
      variant="default"
      {...(waiting ? { rightSection: <Count>{waiting}</Count>, 'aria-label': `Waivers, ${waiting} pending` } : {})}
    >
      Waivers
    </Button>
  );
}
