import { SegmentedControl, UnstyledButton } from '@mantine/core';
import type { DigestItem, DigestItemDecision } from '@sightline/contract/compliance/digests.ts';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Link } from '#ui/Link.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { Tag } from '#ui/Tag.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Digests.module.css';
import { digestChoiceLabels, digestChoices } from './digestLabels.ts';

interface FlaggedItemProps {
  item: DigestItem;
  choice: DigestItemDecision | undefined;
  /** Undefined if the reader cannot decide. */
  onChoose: ((choice: DigestItemDecision) => void) | undefined;
}

/** Shows one item that violated a rule. The decision appears after the item is expanded. */
export function FlaggedItem({ item, choice, onChoose }: FlaggedItemProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { title, link, controls, decision, isMine } = item;
  return (
    <li>
      <UnstyledButton
        className={s.item ?? ''}
        aria-expanded={isOpen}
        aria-controls={id}
        data-paper
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight size={16} className={s.chevron} data-open={isOpen || undefined} aria-hidden />
        <span className={s.what}>
          <span>{title}</span>
          <span className={s.broken}>
            {controls.map((control) => (
              <Tag key={control.id}>{control.id}</Tag>
            ))}
          </span>
        </span>
        <span className={s.decided}>
          {decision ? (
            <StatusDot tone={decision.choice === 'accepted' ? 'green' : 'yellow'}>
              {digestChoiceLabels[decision.choice]}
            </StatusDot>
          ) : choice ? (
            <StatusDot tone="blue">{digestChoiceLabels[choice]}</StatusDot>
          ) : isMine ? (
            <span className="dim">Yours</span>
          ) : (
            <StatusDot tone="gray">To decide</StatusDot>
          )}
        </span>
      </UnstyledButton>
      <div id={id} className={s.detail} hidden={!isOpen}>
        <ul>
          {controls.map((control) =>
            control.reasons.map(({ code, text, about }) => (
              <li key={`${control.id} ${code} ${about}`}>
                <span className="dim">{control.title}:</span> {text}
              </li>
            )),
          )}
        </ul>
        {link !== null && (
          <Link className="link" href={link}>
            View activity
          </Link>
        )}
        {decision && (
          <p className="dim">
            {digestChoiceLabels[decision.choice]} by{' '}
            <PersonName person={{ id: decision.by.accountId, name: decision.by.name ?? 'a former member' }} />{' '}
            <TimeAgo at={decision.at} />
          </p>
        )}
        {isOpen && onChoose && (
          <SegmentedControl
            data-screen
            aria-label={`Decision on ${title}`}
            data={digestChoices.map((value) => ({ value, label: digestChoiceLabels[value] }))}
            value={choice ?? ''}
            onChange={(value) => onChoose(value as DigestItemDecision)}
          />
        )}
      </div>
    </li>
  );
}
