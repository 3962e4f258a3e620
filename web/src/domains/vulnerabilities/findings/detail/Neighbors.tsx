import { ActionIcon, Tooltip } from '@mantine/core';
import { type Finding, getFindingNeighbors } from '@sightline/contract/vulnerabilities/findings.ts';
import { IconArrowDown, IconArrowUp, IconChevronLeft } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { type ShortcutGroup, useShortcutGroup } from '#lib/shortcuts.ts';
import { Link, useNavigate } from '#ui/Link.tsx';
import { type FindingQuery, findingHref, findingsFilterOf, findingsListHref } from '../findingsQuery.ts';
import s from './Finding.module.css';

const arrows: ShortcutGroup = {
  title: 'Vulnerability',
  shortcuts: [
    [['←'], 'Previous vulnerability of the list'],
    [['→'], 'Next vulnerability of the list'],
  ],
};

interface NeighborsProps {
  id: string;
  list: FindingQuery;
  repository: Finding['repository'];
}

/** Links back to the page of the list with this finding, and to the previous and next one. */
export function FindingNavigation({ id, list, repository }: NeighborsProps) {
  const { data } = useQuery({
    ...endpointQuery(getFindingNeighbors, {
      params: { findingId: id },
      query: { ...findingsFilterOf(list), sort: list.sort },
    }),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const hrefOf = (other: string | null | undefined) => (other ? findingHref(other, list) : undefined);
  const previous = hrefOf(data?.previous);
  const next = hrefOf(data?.next);
  useArrowKeys(previous, next);
  useShortcutGroup(arrows);
  const page = data?.position ? Math.ceil(data.position / list.perPage) : list.page;
  return (
    <div className={s.crumbs}>
      <nav aria-label="Breadcrumb">
        <Link className={s.back} href={findingsListHref({ ...list, page }, repository)}>
          <IconChevronLeft size={15} aria-hidden />
          {list.from === 'repository' ? `Vulnerabilities of ${repository.fullName}` : 'Vulnerabilities'}
        </Link>
      </nav>
      {data && (
        <nav aria-label="Other vulnerabilities" className={s.neighbors}>
          <span className={s.position}>{positionWords(data)}</span>
          <Step href={previous} label="Previous vulnerability" shortcut="←">
            <IconArrowUp size={16} aria-hidden />
          </Step>
          <Step href={next} label="Next vulnerability" shortcut="→">
            <IconArrowDown size={16} aria-hidden />
          </Step>
        </nav>
      )}
    </div>
  );
}

function positionWords({ position, total }: { position: number | null; total: number }): string {
  if (position === null) return 'No longer in this filter';
  return `${number.format(position)} of ${number.format(total)} in this filter`;
}

interface StepProps {
  href: string | undefined;
  label: string;
  shortcut: string;
  children: ReactNode;
}

const Step = ({ href, label, shortcut, children }: StepProps) =>
  href === undefined ? (
    <ActionIcon aria-label={label} disabled>
      {children}
    </ActionIcon>
  ) : (
    <Tooltip label={`${label} (${shortcut})`}>
      <ActionIcon component={Link} href={href} aria-label={label}>
        {children}
      </ActionIcon>
    </Tooltip>
  );

/**
 * Opens the neighbors on left and right arrow, unless the focused element uses the arrows. Letters would need a setting
 * to disable them (WCAG 2.1.4), arrows do not.
 */
function useArrowKeys(previous: string | undefined, next: string | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const href = event.key === 'ArrowLeft' ? previous : event.key === 'ArrowRight' ? next : undefined;
      if (href === undefined || event.defaultPrevented || hasModifier(event) || needsArrows(event.target)) return;
      event.preventDefault();
      navigate(href);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [previous, next, navigate]);
}

const hasModifier = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) => altKey || ctrlKey || metaKey || shiftKey;

const needsArrows = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable], [role="menu"], [role="dialog"], [role="region"]') !==
    null;

const number = new Intl.NumberFormat('en-GB');
